// SPDX-License-Identifier: GPL-3.0-or-later
#include "sessionsettings.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QSettings>

namespace stagecraft::window {

namespace {

constexpr int recentLimit = 10;
const QString recentKey = QStringLiteral("recentFiles"), workersKey = QStringLiteral("workers");

QString themeName(ThemeChoice theme)
{
    switch (theme) {
    case ThemeChoice::Dark:
        return QStringLiteral("dark");
    case ThemeChoice::Light:
        return QStringLiteral("light");
    case ThemeChoice::System:
        break;
    }
    return QStringLiteral("system");
}

QStringList texts(const QJsonValue &value)
{
    QStringList found;
    for (const QJsonValue &entry : value.toArray()) {
        if (entry.isString())
            found.append(entry.toString());
    }
    return found;
}

int positive(const QJsonObject &object, const char *key, int fallback)
{
    const int value = object.value(QLatin1String(key)).toInt(fallback);
    return value >= 0 ? value : fallback;
}

// The word where it is one of these, else the first of them.
QString oneOf(const QStringList &words, const QString &word)
{
    return words.contains(word) ? word : words.first();
}

} // namespace

SessionSettings::SessionSettings(QSettings &store) : m_store(store) {}

QByteArray SessionSettings::geometry() const
{
    return m_store.value(QStringLiteral("window/geometry")).toByteArray();
}

QByteArray SessionSettings::windowState() const
{
    return m_store.value(QStringLiteral("window/state")).toByteArray();
}

void SessionSettings::setWindow(const QByteArray &geometry, const QByteArray &windowState)
{
    m_store.setValue(QStringLiteral("window/geometry"), geometry);
    m_store.setValue(QStringLiteral("window/state"), windowState);
}

QByteArray SessionSettings::splitter(const QString &name) const
{
    return m_store.value(QStringLiteral("splitter/") + name).toByteArray();
}

void SessionSettings::setSplitter(const QString &name, const QByteArray &state)
{
    m_store.setValue(QStringLiteral("splitter/") + name, state);
}

ThemeChoice SessionSettings::theme() const
{
    const QString name = m_store.value(QStringLiteral("theme")).toString();
    for (const ThemeChoice theme : {ThemeChoice::System, ThemeChoice::Light}) {
        if (name == themeName(theme))
            return theme;
    }
    return ThemeChoice::Dark;
}

void SessionSettings::setTheme(ThemeChoice theme)
{
    m_store.setValue(QStringLiteral("theme"), themeName(theme));
}

QStringList SessionSettings::recentFiles() const
{
    return m_store.value(recentKey).toStringList().mid(0, recentLimit);
}

void SessionSettings::addRecentFile(const QString &path)
{
    QStringList files = recentFiles();
    files.removeAll(path);
    files.prepend(path);
    m_store.setValue(recentKey, files.mid(0, recentLimit));
}

void SessionSettings::removeRecentFile(const QString &path)
{
    QStringList files = recentFiles();
    files.removeAll(path);
    m_store.setValue(recentKey, files);
}

void SessionSettings::clearRecentFiles()
{
    m_store.remove(recentKey);
}

QJsonObject SessionSettings::plan() const
{
    return json(QStringLiteral("plan"));
}

void SessionSettings::setPlan(const QJsonObject &plan)
{
    setJson(QStringLiteral("plan"), plan);
}

run::RunPlan SessionSettings::protocol() const
{
    const QJsonObject saved = json(QStringLiteral("protocol"));
    run::RunPlan plan;
    plan.runs = qMax(1, positive(saved, "runs", plan.runs));
    plan.rounds = qMax(1, positive(saved, "rounds", plan.rounds));
    plan.warmup = positive(saved, "warmup", plan.warmup);
    plan.iterations = qMax(1, positive(saved, "iterations", plan.iterations));
    plan.captureIterations = qMax(1, positive(saved, "captureIterations", plan.captureIterations));
    plan.capture = saved.value(QStringLiteral("capture")).toBool(plan.capture);
    plan.counters = saved.value(QStringLiteral("counters")).toBool(plan.counters);
    plan.cache = oneOf(run::cacheStates(), saved.value(QStringLiteral("cache")).toString());
    plan.arithmetic = oneOf(run::arithmeticChoices(), saved.value(QStringLiteral("arithmetic")).toString());
    bool seedValid = false;
    const quint64 seed = saved.value(QStringLiteral("seed")).toString().toULongLong(&seedValid);
    if (seedValid)
        plan.seed = seed;
    return plan;
}

void SessionSettings::setProtocol(const run::RunPlan &plan)
{
    // The seed as text: a JSON number holds 53 bits of its 64.
    setJson(QStringLiteral("protocol"), {{QStringLiteral("runs"), plan.runs},
                                         {QStringLiteral("rounds"), plan.rounds},
                                         {QStringLiteral("warmup"), plan.warmup},
                                         {QStringLiteral("iterations"), plan.iterations},
                                         {QStringLiteral("captureIterations"), plan.captureIterations},
                                         {QStringLiteral("capture"), plan.capture},
                                         {QStringLiteral("counters"), plan.counters},
                                         {QStringLiteral("cache"), plan.cache},
                                         {QStringLiteral("arithmetic"), plan.arithmetic},
                                         {QStringLiteral("seed"), QString::number(plan.seed)}});
}

run::WorkerSetup SessionSettings::workers() const
{
    const QJsonObject saved = json(workersKey);
    run::WorkerSetup workers;
    workers.prefix = texts(saved.value(QStringLiteral("prefix")));
    workers.python = saved.value(QStringLiteral("python")).toString();
    for (const QJsonValue &value : saved.value(QStringLiteral("externals")).toArray()) {
        const QJsonObject entry = value.toObject();
        if (entry.isEmpty())
            continue;
        workers.externals.append({entry.value(QStringLiteral("name")).toString(),
                                  entry.value(QStringLiteral("program")).toString(),
                                  texts(entry.value(QStringLiteral("arguments")))});
    }
    return workers;
}

void SessionSettings::setWorkers(const run::WorkerSetup &workers)
{
    QJsonArray externals;
    for (const run::ExternalProgram &external : workers.externals) {
        externals.append(QJsonObject{{QStringLiteral("name"), external.name},
                                     {QStringLiteral("program"), external.program},
                                     {QStringLiteral("arguments"), QJsonArray::fromStringList(external.arguments)}});
    }
    setJson(workersKey, {{QStringLiteral("prefix"), QJsonArray::fromStringList(workers.prefix)},
                         {QStringLiteral("python"), workers.python},
                         {QStringLiteral("externals"), externals}});
}

QString SessionSettings::folder(const QString &purpose) const
{
    return m_store.value(QStringLiteral("folder/") + purpose).toString();
}

void SessionSettings::setFolder(const QString &purpose, const QString &path)
{
    m_store.setValue(QStringLiteral("folder/") + purpose, path);
}

QString SessionSettings::stagesFolder() const
{
    return m_store.value(QStringLiteral("stages/folder")).toString();
}

void SessionSettings::setStagesFolder(const QString &folder)
{
    m_store.setValue(QStringLiteral("stages/folder"), folder);
}

QString SessionSettings::editorCommand() const
{
    return m_store.value(QStringLiteral("stages/editor")).toString();
}

void SessionSettings::setEditorCommand(const QString &command)
{
    m_store.setValue(QStringLiteral("stages/editor"), command);
}

bool SessionSettings::machineCodeShown() const
{
    return m_store.value(QStringLiteral("window/machineCode")).toBool();
}

void SessionSettings::setMachineCodeShown(bool shown)
{
    m_store.setValue(QStringLiteral("window/machineCode"), shown);
}

QByteArray SessionSettings::stagesState() const
{
    return m_store.value(QStringLiteral("window/stagesState")).toByteArray();
}

void SessionSettings::setStagesState(const QByteArray &state)
{
    m_store.setValue(QStringLiteral("window/stagesState"), state);
}

QJsonObject SessionSettings::exportChoice() const
{
    return json(QStringLiteral("export"));
}

void SessionSettings::setExportChoice(const QJsonObject &choice)
{
    setJson(QStringLiteral("export"), choice);
}

QJsonObject SessionSettings::json(const QString &key) const
{
    return QJsonDocument::fromJson(m_store.value(key).toString().toUtf8()).object();
}

void SessionSettings::setJson(const QString &key, const QJsonObject &value)
{
    m_store.setValue(key, QString::fromUtf8(QJsonDocument(value).toJson(QJsonDocument::Compact)));
}

} // namespace stagecraft::window
