// SPDX-License-Identifier: GPL-3.0-or-later
#include "windowtheme.h"

#include <QApplication>

namespace stagecraft::window {

namespace {

QColor mixed(const QColor &over, const QColor &under, qreal share)
{
    const auto channel = [share](float a, float b) { return float(share * a + (1 - share) * b); };
    return QColor::fromRgbF(channel(over.redF(), under.redF()), channel(over.greenF(), under.greenF()),
                            channel(over.blueF(), under.blueF()));
}

// @name stands for a colour of the theme.
constexpr auto sheet = R"(
QMainWindow::separator { background: @ground; width: 5px; height: 5px; }
QMainWindow::separator:hover { background: @accent; }
QDockWidget > QWidget { border: 0; }
#dockTitle { background: @raised; border-bottom: 1px solid @rule; }
#dockTitle QLabel, QLabel[sectionHeading="true"] { font-weight: 600; }
#dockTitle QLabel { padding: 6px 8px 6px 12px; }
QLabel[sectionHeading="true"] { background: @raised; border-top: 1px solid @rule; border-bottom: 1px solid @rule;
  padding: 6px 12px; }
QLabel[heading="true"] { font-weight: 600; }
QLabel[danger="true"] { font-weight: 600; color: @danger; }
QLabel[muted="true"] { color: @muted; }

#headerBar { background: @raised; border: 0; border-bottom: 1px solid @rule; padding: 0; spacing: 0; }
#primaryButton, QDialog #primaryButton { background: @accent; color: @ground; border: 0; border-radius: 4px; padding: 7px 16px;
  font-weight: 600; }
#primaryButton:hover, #primaryButton:focus, QDialog #primaryButton:hover, QDialog #primaryButton:focus { background: @accentHover; }
#primaryButton:disabled, QDialog #primaryButton:disabled { background: @rule; color: @muted; }

QComboBox, QLineEdit, QAbstractSpinBox, #protocolButton { background: @ground; color: @ink; border: 1px solid @rule;
  border-radius: 4px; padding: 4px 8px; }
QComboBox:hover, QLineEdit:hover, QAbstractSpinBox:hover, #protocolButton:hover, QComboBox:focus, QLineEdit:focus,
QAbstractSpinBox:focus, #protocolButton:focus { border-color: @accent; }
QComboBox:disabled, QLineEdit:disabled, QAbstractSpinBox:disabled, #protocolButton:disabled { color: @muted; }
QComboBox { padding-right: 24px; }
#headerBar QComboBox, #protocolButton { padding: 6px 24px 6px 8px; }
QComboBox::drop-down { border: 0; width: 22px; subcontrol-position: right center; }
QComboBox::down-arrow, #protocolButton::menu-indicator { image: url(:/icons/chevron-@variant.svg); width: 12px;
  height: 12px; }
#paneBar #menuButton { padding-right: 26px; }
#menuButton::menu-indicator { image: url(:/icons/chevron-@variant.svg); width: 12px; height: 12px;
  subcontrol-origin: padding; subcontrol-position: right center; right: 8px; }
#protocolButton::menu-indicator { subcontrol-origin: padding; subcontrol-position: right center; right: 6px; }
QAbstractSpinBox { padding-right: 22px; }
QAbstractSpinBox::up-button { border: 0; width: 20px; subcontrol-position: top right; }
QAbstractSpinBox::down-button { border: 0; width: 20px; subcontrol-position: bottom right; }
QAbstractSpinBox::up-arrow { image: url(:/icons/chevron-up-@variant.svg); width: 10px; height: 10px; }
QAbstractSpinBox::down-arrow { image: url(:/icons/chevron-@variant.svg); width: 10px; height: 10px; }
QTreeView QLineEdit { padding: 0 2px; border-radius: 0; }
QDialog QPushButton { background: @raised; color: @ink; border: 1px solid @rule; border-radius: 4px; padding: 6px 16px; }
QDialog QPushButton:hover, QDialog QPushButton:focus { border-color: @accent; }
QDialog QPushButton:disabled { color: @axis; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }

#pageSwitch QToolButton { background: @ground; color: @muted; border: 1px solid @rule; padding: 6px 12px; }
#pageSwitch QToolButton:hover, #pageSwitch QToolButton:focus { color: @ink; border-color: @accent; }
#pageSwitch QToolButton:checked { background: @selection; color: @ink; font-weight: 600; border-color: @accent; }

QProgressBar { background: @rule; border: 0; border-radius: 3px; }
QProgressBar::chunk { background: @accent; border-radius: 3px; }

QTabBar { background: transparent; }
QTabBar::tab { background: transparent; color: @muted; padding: 9px 4px 7px 4px; border: 0;
  border-bottom: 2px solid transparent; }
QTabBar::tab:hover { color: @ink; }
QTabBar::tab:selected { color: @ink; border-bottom-color: @accent; font-weight: 600; }
QTabBar::tab:focus { color: @accent; }

QTreeView, QListView, QTableView { outline: 0; background: @ground; selection-background-color: @selection;
  selection-color: @ink; alternate-background-color: @ground; }
QTreeView::item:selected, QListView::item:selected { background: @selection; color: @ink; }
QTreeView::item:hover:!selected, QListView::item:hover:!selected { background: @raised; }
QTreeView::indicator, QListView::indicator, QCheckBox::indicator { width: 14px; height: 14px; background: @ground;
  border: 1px solid @axis; border-radius: 3px; }
QTreeView::indicator:hover, QListView::indicator:hover, QCheckBox::indicator:hover, QCheckBox::indicator:focus
  { border-color: @accent; }
QTreeView::indicator:checked, QListView::indicator:checked, QCheckBox::indicator:checked { background: @accent;
  border-color: @accent; image: url(:/icons/check-@variant.svg); }
QTreeView::indicator:disabled, QListView::indicator:disabled, QCheckBox::indicator:disabled { border-color: @rule; }
QHeaderView::section { background: @ground; color: @muted; border: 0; border-bottom: 1px solid @rule;
  padding: 6px 8px; }
#programTable { border: 1px solid @rule; border-radius: 4px; }
#programTable QHeaderView::section { padding: 6px 3px; }

#evidenceDock QToolButton, #paneBar QToolButton { background: transparent; border: 1px solid transparent;
  border-radius: 4px; padding: 4px 8px; }
#evidenceDock QToolButton { border-color: @rule; }
#evidenceDock QToolButton:hover, #paneBar QToolButton:hover, #evidenceDock QToolButton:focus,
#paneBar QToolButton:focus { border-color: @accent; }
#paneBar QToolButton:checked { background: @selection; border-color: @accent; }
#evidenceDock #dockTitle QToolButton { border: 0; padding: 4px; }
#evidenceDock QToolButton:disabled, #paneBar QToolButton:disabled { color: @axis; }
QPlainTextEdit { background: @ground; color: @ink; border: 0; }
#sectionButton { background: @raised; border: 0; border-top: 1px solid @rule; padding: 8px; text-align: left;
  font-weight: 600; }
#sectionButton:hover, #sectionButton:focus { color: @accent; }
#problemLine { color: @danger; background: @raised; border-top: 1px solid @rule; }
#paneBar { background: @raised; border-top: 1px solid @rule; border-bottom: 1px solid @rule; }
#messageBar QPushButton { background: @ground; color: @ink; border: 1px solid @rule; border-radius: 4px;
  padding: 4px 12px; }
#messageBar QPushButton:hover, #messageBar QPushButton:focus { border-color: @accent; }
#paneBar QComboBox { padding: 3px 24px 3px 8px; }
#tabRow { border-bottom: 1px solid @rule; }
#messageBar { background: @raised; border: 0; border-left: 4px solid @accent; }
#messageBar[severity="warning"] { border-left-color: @attention; }
#messageBar[severity="error"] { border-left-color: @danger; }

QSplitter::handle:vertical { height: 5px; background: @ground; }
QSplitter::handle:horizontal { width: 5px; background: @ground; }
QSplitter::handle:hover { background: @accent; }
QScrollBar:vertical { background: @ground; width: 12px; margin: 0; border: 0; }
QScrollBar:horizontal { background: @ground; height: 12px; margin: 0; border: 0; }
QScrollBar::handle { background: @rule; border-radius: 4px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 32px; }
QScrollBar::handle:horizontal { min-width: 32px; }
QScrollBar::handle:hover { background: @axis; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QAbstractScrollArea::corner { background: @ground; border: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
)";

} // namespace

WindowTheme::WindowTheme(QApplication &application)
    : m_application(application), m_desktopIsDark(QApplication::palette().color(QPalette::Window).lightnessF() < 0.5)
{
}

void WindowTheme::apply(ThemeChoice choice)
{
    const bool dark = choice == ThemeChoice::Dark || (choice == ThemeChoice::System && m_desktopIsDark);
    m_current = dark ? widgets::Theme::Dark : widgets::Theme::Light;
    widgets::applyTheme(m_application, m_current);
}

QString windowStyleSheet(widgets::Theme theme)
{
    const widgets::ThemeColors &colors = widgets::themeColors(theme);
    QString text = QString::fromLatin1(sheet);
    // Longer names first: @accentHover before @accent.
    const std::pair<const char *, QString> values[] = {
        {"@accentHover", mixed(colors.accent, colors.ink, 0.8).name()},
        {"@accent", colors.accent.name()},
        {"@attention", colors.attention.name()},
        {"@selection", mixed(colors.accent, colors.ground, 0.24).name()},
        {"@ground", colors.ground.name()},
        {"@raised", colors.raised.name()},
        {"@ink", colors.ink.name()},
        {"@muted", colors.muted.name()},
        {"@rule", colors.rule.name()},
        {"@axis", colors.axis.name()},
        {"@danger", colors.danger.name()},
        {"@variant", theme == widgets::Theme::Dark ? QStringLiteral("dark") : QStringLiteral("light")}};
    for (const auto &[name, value] : values)
        text.replace(QLatin1String(name), value);
    return text;
}

} // namespace stagecraft::window
