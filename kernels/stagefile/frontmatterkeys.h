// SPDX-License-Identifier: MIT
#pragma once

#include "stage.h"

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string_view>

namespace stagecraft::stagefile {

// A JSON value of a stage's front matter that knows where it stands, so that a wrong one is named by file and pointer.
// The accessors throw StageError.
class FrontMatterValue
{
public:
    FrontMatterValue(const nlohmann::json &value, std::string fileName, std::string pointer = {});

    const nlohmann::json &json() const { return m_value; }
    [[noreturn]] void fail(const std::string &cause) const;

    // Of an object: refuses any key that is not listed, so that a misspelt one is not silently without effect.
    void onlyKeys(std::initializer_list<std::string_view> known) const;
    bool has(const std::string &key) const;
    FrontMatterValue at(const std::string &key) const; // fails where the key is missing
    std::vector<std::pair<std::string, FrontMatterValue>> members() const;

    std::vector<FrontMatterValue> items() const; // of an array
    std::string text(bool mayBeEmpty = false) const;
    std::int64_t integer(std::int64_t low, std::int64_t high) const;
    double number() const; // finite
    std::string textOr(const std::string &key, const std::string &otherwise) const;

private:
    void expectObject() const;
    const nlohmann::json &m_value;
    std::string m_fileName, m_pointer;
};

} // namespace stagecraft::stagefile
