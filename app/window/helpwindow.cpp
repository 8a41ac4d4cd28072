// SPDX-License-Identifier: GPL-3.0-or-later
#include "helpwindow.h"

#include "evidencereader.h"
#include "themedicon.h"

#include <QDesktopServices>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMessageBox>
#include <QPointer>
#include <QRegularExpression>
#include <QScrollBar>
#include <QShortcut>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextDocument>
#include <QTextList>
#include <QTextTable>
#include <QToolButton>
#include <QVBoxLayout>

namespace stagecraft::window {

namespace {

constexpr int pageWidth = 760; // a line that reads well
constexpr int lineHeightPercent = 125;

// Markdown as Qt reads it stands without distances; a page reads better with them.
void setMargins(QTextDocument &document)
{
    QTextCursor cursor(&document);
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        QTextBlockFormat format = block.blockFormat();
        const bool inTable = QTextCursor(block).currentTable() != nullptr;
        format.setTopMargin(format.headingLevel() > 1 ? 20 : 0);
        format.setBottomMargin(inTable ? 0 : block.textList() ? 4 : 10);
        format.setLineHeight(lineHeightPercent, QTextBlockFormat::ProportionalHeight);
        cursor.setPosition(block.position());
        cursor.setBlockFormat(format);
    }
}

void setTables(QTextDocument &document, const QColor &rule)
{
    for (QTextFrame *frame : document.rootFrame()->childFrames()) {
        auto *table = qobject_cast<QTextTable *>(frame);
        if (!table)
            continue;
        QTextTableFormat format = table->format();
        format.setBorderCollapse(true);
        format.setBorder(1);
        format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
        format.setBorderBrush(rule);
        format.setCellPadding(6);
        format.setCellSpacing(0);
        format.setTopMargin(4);
        format.setBottomMargin(12);
        table->setFormat(format);
    }
}

// Follows links to pages in its folder; everything else is left to the desktop.
class Pages : public QTextBrowser
{
public:
    Pages(const QString &folder, QWidget *parent) : QTextBrowser(parent), m_folder(folder)
    {
        setOpenLinks(false);
        connect(this, &QTextBrowser::anchorClicked, this, [this](const QUrl &link) {
            const QUrl target = source().resolved(link);
            if (target.isLocalFile() && isPage(target.toLocalFile()))
                setSource(target);
            else
                QDesktopServices::openUrl(target);
        });
    }

protected:
    void doSetSource(const QUrl &url, QTextDocument::ResourceType type) override
    {
        QTextBrowser::doSetSource(url, type);
        QFile file(url.toLocalFile());
        if (!file.open(QIODevice::ReadOnly))
            return;
        // The licence line is the file's, not the page's.
        static const QRegularExpression comment(QStringLiteral("<!--.*?-->\\s*"),
                                                QRegularExpression::DotMatchesEverythingOption);
        document()->setBaseUrl(url);
        document()->setMarkdown(QString::fromUtf8(file.readAll()).remove(comment),
                                QTextDocument::MarkdownDialectGitHub);
        setMargins(*document());
        setTables(*document(), palette().color(QPalette::Mid));
        moveCursor(QTextCursor::Start);
        verticalScrollBar()->setValue(0); // the distances have moved the page
    }

private:
    bool isPage(const QString &path) const
    {
        const QFileInfo info(path);
        return info.suffix() == QLatin1String("md") && info.absoluteDir() == QDir(m_folder);
    }

    QString m_folder;
};

} // namespace

HelpWindow::HelpWindow(const QString &folder, QWidget *parent)
    : QWidget(parent, Qt::Window), m_folder(folder), m_browser(new Pages(folder, this))
{
    setWindowTitle(tr("Stagecraft help"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto *bar = new QWidget(this);
    bar->setObjectName(QStringLiteral("paneBar"));
    bar->setAttribute(Qt::WA_StyledBackground);
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(8, 4, 8, 4);
    const auto addButton = [&](const QString &text, auto act) {
        auto *button = new QToolButton(bar);
        button->setText(text);
        button->setAutoRaise(true);
        connect(button, &QToolButton::clicked, m_browser, act);
        row->addWidget(button);
        return button;
    };
    addButton(tr("Contents"), &QTextBrowser::home);
    QToolButton *back = addButton(tr("Back"), &QTextBrowser::backward);
    QToolButton *forward = addButton(tr("Forward"), &QTextBrowser::forward);
    row->addStretch(1);
    connect(m_browser, &QTextBrowser::backwardAvailable, back, &QWidget::setEnabled);
    connect(m_browser, &QTextBrowser::forwardAvailable, forward, &QWidget::setEnabled);
    back->setEnabled(false);
    forward->setEnabled(false);
    m_browser->setFrameShape(QFrame::NoFrame);
    m_browser->document()->setDocumentMargin(24);
    m_browser->setAccessibleName(tr("Help page"));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(bar);
    layout->addWidget(m_browser, 1);
    showPage(QStringLiteral("index.md"));
    connect(new QShortcut(QKeySequence::Cancel, this), &QShortcut::activated, this, &QWidget::close);
    resize(pageWidth, 720);
}

void HelpWindow::showPage(const QString &file)
{
    const QDir folder(m_folder);
    m_browser->setSource(
        QUrl::fromLocalFile(folder.absoluteFilePath(folder.exists(file) ? file : QStringLiteral("index.md"))));
}

QString helpFolder()
{
    // The pages lie beside the bundled evidence, in the build, the installation and the bundle alike.
    const QString evidence = evidence::bundledDirectory();
    const QString folder = QDir::cleanPath(evidence + QStringLiteral("/../help"));
    return !evidence.isEmpty() && QFileInfo::exists(folder + QStringLiteral("/index.md")) ? folder : QString();
}

void showHelp(QWidget *parent, const QString &page)
{
    static QPointer<HelpWindow> window;
    const QString folder = helpFolder();
    if (folder.isEmpty()) {
        QMessageBox::warning(parent, QObject::tr("The help pages are missing"),
                             QObject::tr("They belong beside the program, in share/stagecraft/help: install "
                                         "Stagecraft anew."));
        return;
    }
    if (!window) {
        window = new HelpWindow(folder, parent);
        window->setStyleSheet(parent->styleSheet());
        window->setWindowIcon(applicationIcon());
    }
    if (!page.isEmpty())
        window->showPage(page);
    window->show();
    window->raise();
    window->activateWindow();
}

} // namespace stagecraft::window
