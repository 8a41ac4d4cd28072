// SPDX-License-Identifier: GPL-3.0-or-later
#include "newstagedialog.h"
#include "windowtheme.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>

using namespace stagecraft;
using namespace stagecraft::window;

namespace {

// With the style sheet that it inherits from the window.
class Shown
{
public:
    Shown() : dialog(*m_catalogue.find("matmul", "tile-32x32-2x4"), m_catalogue, longFolder())
    {
        dialog.setStyleSheet(windowStyleSheet(widgets::Theme::Dark));
        dialog.show();
    }

    static QString longFolder() { return "/home/somebody/Documents/Work of this year/Stagecraft/stages"; }

    QLabel *problem() const { return dialog.findChild<QLabel *>("problemLine"); }
    QList<QLineEdit *> fields() const { return dialog.findChildren<QLineEdit *>(); }

    // The first part that has not the room that its text needs.
    QString crushed() const
    {
        for (const QLineEdit *field : fields()) {
            if (field->height() < field->sizeHint().height())
                return field->text();
        }
        for (const QLabel *label : dialog.findChildren<QLabel *>()) {
            const int needed = label->wordWrap() ? label->heightForWidth(label->width()) : label->sizeHint().height();
            if (label->isVisible() && label->height() < needed)
                return label->text();
        }
        return {};
    }

private:
    run::StageCatalogue m_catalogue = run::stageCatalogue();

public:
    NewStageDialog dialog;
};

} // namespace

class tst_NewStageDialog : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("STAGECRAFT_RESOURCES", STAGECRAFT_BINARY_DIR "/share/stagecraft"); }

    void suggestsAFreeNameAndATitle()
    {
        const Shown shown;
        QCOMPARE(shown.dialog.id(), QStringLiteral("tile-32x32-2x4-2"));
        QVERIFY(shown.dialog.title().startsWith("32×32 tiles"));
        QVERIFY(!shown.problem()->isVisible());
        QVERIFY(shown.dialog.findChild<QPushButton *>("primaryButton")->isEnabled());
    }

    void growsWithWhatItHasToSay_data()
    {
        QTest::addColumn<QString>("id");
        QTest::newRow("taken") << "tiled";
        QTest::newRow("capitals") << "My Tiles";
        QTest::newRow("long and no name") << QString(60, 'A');
        QTest::newRow("many words") << QStringLiteral("a b ").repeated(40);
        QTest::newRow("none") << "";
    }

    void growsWithWhatItHasToSay()
    {
        QFETCH(QString, id);
        Shown shown;
        QVERIFY(QTest::qWaitForWindowExposed(&shown.dialog));
        QTRY_COMPARE_WITH_TIMEOUT(shown.crushed(), QString(), 30'000);
        const int before = shown.dialog.height();
        shown.fields().first()->setText(id);
        QVERIFY(shown.problem()->isVisible());
        QVERIFY(!shown.dialog.findChild<QPushButton *>("primaryButton")->isEnabled());
        QTRY_VERIFY_WITH_TIMEOUT(shown.dialog.height() > before, 30'000);
        QTRY_COMPARE_WITH_TIMEOUT(shown.crushed(), QString(), 30'000);
        // And not narrower than its words.
        QVERIFY(shown.problem()->minimumSizeHint().width() <= shown.problem()->width());
    }
};

QTEST_MAIN(tst_NewStageDialog)
#include "tst_newstagedialog.moc"
