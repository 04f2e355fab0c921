// A contiguous list of doubles in a NumPy array, if that is what an object is.
//
// Single calls spend their time at this border: the buffer protocol and the general conversion cost as much
// as sorting. So the head of NumPy's array object is read directly. Its layout is part of NumPy's binary
// interface. It is compared with what Python says of some arrays when the module is imported, and if anything
// differs, the buffer protocol is used instead.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace concordant::bind {

namespace nb = nanobind;

struct ArrayHead {
    PyObject object;
    char* data;
    int dimensions;
    Py_ssize_t* shape;
    Py_ssize_t* strides;
    PyObject* base;
    PyObject* dtype;
    int flags;
};

class ScoreArray {
public:
    explicit ScoreArray(nb::handle object) {
        if (reinterpret_cast<PyObject*>(Py_TYPE(object.ptr())) != array_type_) return;
        if (!reads_head_) {
            take_buffer(object);
            return;
        }
        const auto* array = reinterpret_cast<const ArrayHead*>(object.ptr());
        valid_ = array->dimensions == 1 && array->dtype == float64_ &&
                 (array->flags & contiguous_and_aligned) == contiguous_and_aligned;
        if (!valid_) return;
        data_ = reinterpret_cast<const double*>(array->data);
        size_ = static_cast<std::size_t>(array->shape[0]);
    }
    ~ScoreArray() {
        if (has_view_) PyBuffer_Release(&view_);
    }
    ScoreArray(const ScoreArray&) = delete;
    ScoreArray& operator=(const ScoreArray&) = delete;

    bool valid() const { return valid_; }
    const double* data() const { return data_; }
    std::size_t size() const { return size_; }

    // Called once, when the module is imported.
    static void start() {
        const nb::module_ numpy = nb::module_::import_("numpy");
        array_type_ = nb::object(numpy.attr("ndarray")).release().ptr();
        float64_ = numpy.attr("dtype")("float64").release().ptr();  // one object for all arrays of it
        const nb::object six = numpy.attr("arange")(6.0);
        const nb::object every_second = six[nb::slice(nb::none(), nb::none(), nb::int_(2))];
        head_is_known_ =
            nb::cast<std::size_t>(numpy.attr("ndarray").attr("__basicsize__")) >= sizeof(ArrayHead) &&
            six.attr("dtype").ptr() == float64_ && shows(six) && shows(every_second) &&
            shows(six.attr("reshape")(2, 3)) && shows(numpy.attr("arange")(3));
        reads_head_ = head_is_known_;
    }

    // Read the head from now on, if its layout is known, or use the buffer protocol; returns the setting
    // before.
    static bool use_head(bool wanted) {
        const bool before = reads_head_;
        reads_head_ = wanted && head_is_known_;
        return before;
    }

private:
    static constexpr int contiguous = 0x1, aligned = 0x100, contiguous_and_aligned = contiguous | aligned;
    inline static PyObject* array_type_ = nullptr;
    inline static PyObject* float64_ = nullptr;
    inline static bool head_is_known_ = false, reads_head_ = false;

    // Does the head of an array show what Python says of it? The members around the pointers to shape and
    // strides are compared first, because these two are followed.
    static bool shows(const nb::object& array) {
        ArrayHead head;
        std::memcpy(&head, array.ptr(), sizeof(head));
        const auto data = nb::cast<std::uintptr_t>(array.attr("__array_interface__")["data"][0]);
        const nb::object base = array.attr("base"), flags = array.attr("flags");
        const auto n = nb::cast<std::size_t>(array.attr("ndim"));
        if (reinterpret_cast<std::uintptr_t>(head.data) != data ||
            static_cast<std::size_t>(head.dimensions) != n ||
            head.base != (base.is_none() ? nullptr : base.ptr()) || head.dtype != array.attr("dtype").ptr() ||
            ((head.flags & contiguous) != 0) != nb::cast<bool>(flags.attr("c_contiguous")) ||
            ((head.flags & aligned) != 0) != nb::cast<bool>(flags.attr("aligned"))) {
            return false;
        }
        for (std::size_t d = 0; d < n; ++d) {
            if (head.shape[d] != nb::cast<Py_ssize_t>(array.attr("shape")[d]) ||
                head.strides[d] != nb::cast<Py_ssize_t>(array.attr("strides")[d])) {
                return false;
            }
        }
        return true;
    }

    void take_buffer(nb::handle object) {
        if (object.attr("dtype").ptr() != float64_) return;
        if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_ND) != 0) {  // not contiguous
            PyErr_Clear();
            return;
        }
        has_view_ = true;
        valid_ = view_.ndim == 1 && reinterpret_cast<std::uintptr_t>(view_.buf) % alignof(double) == 0;
        if (!valid_) return;
        data_ = static_cast<const double*>(view_.buf);
        size_ = static_cast<std::size_t>(view_.shape[0]);
    }

    bool valid_ = false, has_view_ = false;
    const double* data_ = nullptr;
    std::size_t size_ = 0;
    Py_buffer view_;
};

}  // namespace concordant::bind
