// Runs of TREC, read to dictionaries, and the numbers of their documents.
#include <nanobind/nanobind.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "../round.hpp"
#include "arrays.hpp"
#include "register.hpp"

namespace concordant::bind {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// The next word of a line, from `at` on; empty at its end.
std::string_view next_word(const char*& at, const char* end) {
    while (at < end && is_blank(*at)) ++at;
    const char* start = at;
    while (at < end && !is_blank(*at)) ++at;
    return {start, static_cast<std::size_t>(at - start)};
}

// The number that Python reads in a word; nan if it reads none. A decimal of up to 15 digits is the quotient
// of two doubles without rounding errors, so that one division rounds as it should.
double number_in(std::string_view word) {
    const bool negative = !word.empty() && word[0] == '-';
    std::int64_t digits = 0;
    std::size_t n_digits = 0;
    int after_point = 0;
    bool point = false;
    for (const char c : word.substr(negative)) {
        if (c == '.' && !point) {
            point = true;
        } else if (c >= '0' && c <= '9' && n_digits < 15) {
            digits = 10 * digits + (c - '0');
            ++n_digits;
            after_point += point;
        } else {
            n_digits = 0;
            break;
        }
    }
    if (n_digits > 0) {
        const double value =
            static_cast<double>(digits) / powers_of_ten[static_cast<std::size_t>(after_point - least_power)];
        return negative ? -value : value;
    }
    const double value = PyOS_string_to_double(std::string(word).c_str(), nullptr, nullptr);
    if (PyErr_Occurred() == nullptr) return value;
    PyErr_Clear();
    return std::nan("");
}

nb::object text_of(std::string_view word) {
    return nb::steal(PyUnicode_FromStringAndSize(word.data(), static_cast<Py_ssize_t>(word.size())));
}

// (tag, {topic: {document: score}}) of the text of a run; None for whatever is not six columns of ASCII with
// a finite score, one tag and no document twice: Python reads such a text, or says what is wrong with it.
nb::object parse_run(nb::str text) {
    Py_ssize_t size = 0;
    const char* at = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (at == nullptr) throw nb::python_error();
    const char* end = at + size;
    nb::dict topics;
    nb::object documents;
    std::string_view topic, tag;
    std::size_t n_lines = 0, n_documents = 0;
    for (const char* c = at; c < end; ++c) {
        const auto byte = static_cast<unsigned char>(*c);
        if (byte >= 0x80 || (byte < 0x20 && byte != '\n' && !is_blank(*c))) return nb::none();
    }
    while (at < end) {
        const std::string_view rest(at, static_cast<std::size_t>(end - at));
        const char* line_end = at + std::min(rest.find('\n'), rest.size());
        std::array<std::string_view, 7> words;
        std::size_t n_words = 0;
        for (auto& word : words) {
            word = next_word(at, line_end);
            if (word.empty()) break;
            ++n_words;
        }
        at = line_end + 1;
        if (n_words == 0) continue;
        const double score = n_words == 6 ? number_in(words[4]) : std::nan("");
        if (!std::isfinite(score) || words[0][0] == '#') return nb::none();
        if (n_lines == 0) tag = words[5];
        if (words[5] != tag) return nb::none();
        if (n_lines == 0 || words[0] != topic) {
            topic = words[0];
            const nb::object key = text_of(topic);
            if (!topics.contains(key)) topics[key] = nb::dict();
            documents = topics[key];
        }
        ++n_lines;
        const nb::object document = text_of(words[2]), value = nb::float_(score);
        if (PyDict_SetItem(documents.ptr(), document.ptr(), value.ptr()) != 0) throw nb::python_error();
    }
    for (const auto each : topics.values()) n_documents += nb::len(each);
    if (n_lines == 0 || n_documents != n_lines) return nb::none();
    return nb::make_tuple(text_of(tag), topics);
}

// The number of each document, in their order; those without a number keep what is there.
void numbers_of(const nb::dict& documents, const nb::dict& numbers, const Array<std::int64_t, 1>& found) {
    require(have_length(nb::len(documents), found), "there is one number for each document");
    require_aligned(found);
    std::int64_t* number = found.data();
    std::int64_t* const end = number + found.shape(0);
    PyObject* document = nullptr;
    for (Py_ssize_t at = 0; number < end && PyDict_Next(documents.ptr(), &at, &document, nullptr) != 0;
         ++number) {
        PyObject* value = PyDict_GetItemWithError(numbers.ptr(), document);
        if (value != nullptr) *number = PyLong_AsLongLong(value);
        if (PyErr_Occurred() != nullptr) throw nb::python_error();
    }
}

}  // namespace

void register_runs(nb::module_& m) {
    m.def("parse_run", &parse_run);
    m.def("numbers_of", &numbers_of);
}

}  // namespace concordant::bind
