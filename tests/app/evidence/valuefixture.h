// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evidencefixtures.h"
#include "evidencereader.h"
#include "statistics.h"

// The value rows of a namespace that a test writes: m_results, m_profiles and m_floors as they stand when it asks.
class ValueFixture : public QObject
{
protected:
    using json = nlohmann::json;
    using ValueRow = stagecraft::evidence::ValueRow;

    void reset()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_results = fixtures::results();
        m_profiles = fixtures::profiles();
        m_floors = nullptr;
    }

    json &implementation(int round, const char *id)
    {
        return m_results["results"][0]["rounds"][round]["implementations"][id];
    }

    QList<ValueRow> read()
    {
        writeOrRemove("comparison-results.json", m_results);
        writeOrRemove("comparison-profiles.json", m_profiles);
        writeOrRemove("floors.json", m_floors);
        m_read = stagecraft::evidence::readNamespace(m_folder->path());
        return stagecraft::evidence::valueRows(m_read);
    }

    void writeOrRemove(const QString &name, const json &document)
    {
        if (document.is_null())
            QFile::remove(m_folder->filePath(name));
        else
            fixtures::write(m_folder->filePath(name), document);
    }

    ValueRow row(const QString &implementation)
    {
        for (const ValueRow &value : read()) {
            if (value.implementation == implementation)
                return value;
        }
        return {};
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    json m_results, m_profiles, m_floors;
    stagecraft::evidence::Namespace m_read;
};
