// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QCheckBox;
class QLabel;
class QLineEdit;
class QsciScintilla;

namespace stagecraft::widgets {

// The line below a source in which one types what to find. It searches while one types, from where the cursor is.
class SourceFindBar : public QWidget
{
    Q_OBJECT

public:
    explicit SourceFindBar(QsciScintilla *editor, QWidget *parent = nullptr);

    void open(); // with the selected word, if there is one

public slots:
    void findNext();
    void findPrevious();

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void findAsTyped();
    void find(bool forward, int line, int index);

    QsciScintilla *m_editor;
    QLineEdit *m_text;
    QCheckBox *m_case;
    QLabel *m_result;
};

} // namespace stagecraft::widgets
