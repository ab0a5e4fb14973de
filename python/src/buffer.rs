// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bytes of a Python object, without a copy: a `bytes` object directly, and any other object by
//! the buffer protocol.

use std::ffi::CString;
use std::mem::MaybeUninit;
use std::slice;

use pyo3::ffi::{
    Py_DECREF, Py_INCREF, Py_buffer, PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release,
    PyBytes_AsString, PyBytes_CheckExact, PyBytes_Size, PyErr_Clear, PyErr_ExceptionMatches,
    PyErr_Occurred, PyErr_SetString, PyExc_BufferError, PyExc_TypeError, PyObject,
    PyObject_GetBuffer,
};
use pyo3::prelude::*;

/// Says that a Python exception is set.
pub(crate) struct Raised;

/// The bytes of an object. While this value lives, the object lives and keeps its memory: a
/// `bytearray` refuses to change its length.
///
/// Another thread may still write to the memory of an object that is not `bytes`. The sum is then
/// the sum of some mixture of the old bytes and the new ones, as it is for `hashlib` and `zlib`.
pub(crate) struct Data {
    start: *mut u8,
    len: usize,
    held: Held,
}

enum Held {
    /// The object is `bytes`; a caller keeps it alive.
    Borrowed,
    /// The object is `bytes`; this is a reference to it.
    Bytes(*mut PyObject),
    Buffer(Box<Py_buffer>),
}

// SAFETY: the memory belongs to the object, which stays where it is, and no field depends on the
// thread. `Drop` attaches to the interpreter.
unsafe impl Send for Data {}
// SAFETY: a shared reference to the value gives shared references to the bytes, and nothing else.
unsafe impl Sync for Data {}

impl Data {
    /// The bytes of an argument.
    ///
    /// # Safety
    /// The thread is attached to the interpreter. `object` is an object, and something else keeps
    /// it alive as long as the value lives.
    #[inline]
    pub(crate) unsafe fn of_argument(object: *mut PyObject) -> Result<Data, Raised> {
        // SAFETY: the caller promises an object and an attached thread; the type is checked before
        // the functions for `bytes` are called.
        unsafe {
            if PyBytes_CheckExact(object) == 0 {
                return Data::buffer(object, PyBUF_SIMPLE);
            }
            Ok(Data {
                start: PyBytes_AsString(object).cast(),
                len: PyBytes_Size(object) as usize,
                held: Held::Borrowed,
            })
        }
    }

    /// The bytes of an argument that can be written to.
    ///
    /// # Safety
    /// As for [`Data::of_argument`].
    pub(crate) unsafe fn writable(object: *mut PyObject) -> Result<Data, Raised> {
        // SAFETY: as the caller promises.
        unsafe { Data::buffer(object, PyBUF_WRITABLE) }
    }

    /// The bytes of an object, which the value keeps alive.
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Data> {
        let pointer = object.as_ptr();
        // SAFETY: a `Bound` is a live object on an attached thread, and its reference outlives the
        // first step. The value holds a reference of its own from then on.
        let data = unsafe {
            Data::of_argument(pointer).map(|mut data| {
                if let Held::Borrowed = data.held {
                    Py_INCREF(pointer);
                    data.held = Held::Bytes(pointer);
                }
                data
            })
        };
        data.map_err(|Raised| PyErr::fetch(object.py()))
    }

    #[cold]
    unsafe fn buffer(object: *mut PyObject, flags: std::ffi::c_int) -> Result<Data, Raised> {
        let mut view = Box::new(MaybeUninit::<Py_buffer>::uninit());
        // SAFETY: the caller promises an object and an attached thread. The view is read only if
        // the call has filled it in.
        unsafe {
            if PyObject_GetBuffer(object, view.as_mut_ptr(), flags) < 0 {
                return Err(refusal(flags));
            }
            let view = Box::from_raw(Box::into_raw(view).cast::<Py_buffer>());
            Ok(Data {
                start: view.buf.cast(),
                len: view.len as usize,
                held: Held::Buffer(view),
            })
        }
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[u8] {
        if self.len == 0 {
            return &[]; // the pointer may be null
        }
        // SAFETY: the object keeps these bytes in their place while `self` lives.
        unsafe { slice::from_raw_parts(self.start, self.len) }
    }

    /// The bytes, to write to them. `others` are all other bytes that the caller uses meanwhile.
    /// `None` if they have some of the same bytes, or if these are read-only.
    pub(crate) fn as_mut_slice(&mut self, others: &[&Data]) -> Option<&mut [u8]> {
        let start = self.start as usize;
        if others.iter().any(|other| {
            let others = other.start as usize;
            start < others + other.len && others < start + self.len
        }) {
            return None;
        }
        if self.len == 0 {
            return Some(&mut []);
        }
        match &self.held {
            Held::Buffer(view) if view.readonly == 0 => {
                // SAFETY: the buffer is writable, the object keeps it in its place while `self`
                // lives, and no other bytes that are in use overlap it.
                Some(unsafe { slice::from_raw_parts_mut(self.start, self.len) })
            }
            _ => None,
        }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }
}

impl Drop for Data {
    #[inline]
    fn drop(&mut self) {
        match &mut self.held {
            Held::Borrowed => {}
            // SAFETY: the reference is the one that `of` took.
            Held::Bytes(object) => attached(|| unsafe { Py_DECREF(*object) }),
            // SAFETY: PyObject_GetBuffer filled in the view, and nothing has released it.
            Held::Buffer(view) => attached(|| unsafe { PyBuffer_Release(&mut **view) }),
        }
    }
}

/// Calls `then` with the interpreter, unless that is gone: its memory is gone with it.
fn attached(then: impl FnOnce()) {
    let _ = Python::try_attach(|_| then());
}

/// Says why an object gave no buffer. The exception of the object itself is kept, except where the
/// object has bytes and they are not in one piece: then it does not say what to do.
#[cold]
fn refusal(flags: std::ffi::c_int) -> Raised {
    // SAFETY: PyObject_GetBuffer has just failed, so the thread is attached and an exception is
    // set.
    unsafe {
        if PyErr_Occurred().is_null() || PyErr_ExceptionMatches(PyExc_TypeError) != 0 {
            return Raised;
        }
        PyErr_Clear();
    }
    let message = if flags == PyBUF_WRITABLE {
        "the bytes to write to are read-only or not contiguous; give a bytearray or another \
             writable buffer whose bytes lie one after the other"
    } else {
        "the bytes do not lie one after the other (the buffer is not C-contiguous); copy them \
             first: bytes(data), or numpy.ascontiguousarray(data)"
    };
    // SAFETY: the thread is attached, as above.
    unsafe { raise(PyExc_BufferError, message) }
}

/// Sets an exception.
///
/// # Safety
/// The thread is attached, and `of` is a class of exceptions.
#[cold]
pub(crate) unsafe fn raise(of: *mut PyObject, message: &str) -> Raised {
    let message = CString::new(message.replace('\0', "\\0")).unwrap_or_default();
    // SAFETY: as the caller promises.
    unsafe { PyErr_SetString(of, message.as_ptr()) };
    Raised
}
