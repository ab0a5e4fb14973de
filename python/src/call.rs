// SPDX-License-Identifier: MIT OR Apache-2.0
//! Calls by METH_FASTCALL, the way that takes the least time. PyO3's own way takes twice as long
//! for a header.

use std::ffi::{CStr, c_char, c_long};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::{ptr, slice, str};

use pyo3::ffi::{
    METH_FASTCALL, Py_DECREF, Py_NewRef, Py_None, Py_ssize_t, PyBool_FromLong, PyErr_Occurred,
    PyEval_RestoreThread, PyEval_SaveThread, PyExc_OverflowError, PyExc_TypeError,
    PyExc_ValueError, PyLong_AsLong, PyLong_FromLong, PyMethodDef, PyMethodDefPointer,
    PyModule_AddFunctions, PyNumber_AsSsize_t, PyObject, PyObject_GetAttrString,
    PyObject_HasAttrString, PyUnicode_AsUTF8AndSize, PyUnicode_Check, PyUnicode_InternFromString,
};
use pyo3::prelude::*;
use wiresum::Sum;

use crate::buffer::{Data, Raised, raise};

/// A function of the module.
pub(crate) trait Function {
    const NAME: &'static CStr;
    /// The signature in the form that `inspect.signature` reads, and the documentation.
    const DOC: &'static CStr;
    /// The numbers of arguments that a call may have.
    const FEWEST: usize;
    const MOST: usize = Self::FEWEST;

    /// Must not panic: the caller is C.
    fn call(args: &Args<'_>) -> Result<Answer, Raised>;
}

/// What a function returns.
pub(crate) enum Answer {
    Number(u16),
    Truth(bool),
    Text(&'static CStr),
    None,
}

/// The arguments of a call. They exist only while the call lasts, on a thread that is attached.
pub(crate) struct Args<'a>(&'a [*mut PyObject]);

/// Data longer than this are summed while other threads run Python: at this length a sum takes
/// about as long as to let them.
pub(crate) const LONG: usize = 16 << 10;

/// Adds functions to the module, which lives as long as the process.
pub(crate) fn add(module: &Bound<'_, PyModule>, functions: Vec<PyMethodDef>) -> PyResult<()> {
    let mut functions = functions;
    functions.push(PyMethodDef::zeroed());
    let functions = functions.leak();
    // SAFETY: the module is a module. The definitions end with an empty one, and live forever.
    match unsafe { PyModule_AddFunctions(module.as_ptr(), functions.as_mut_ptr()) } {
        0 => Ok(()),
        _ => Err(PyErr::fetch(module.py())),
    }
}

/// The definition of a function.
pub(crate) const fn definition<F: Function>() -> PyMethodDef {
    PyMethodDef {
        ml_name: F::NAME.as_ptr(),
        ml_meth: PyMethodDefPointer {
            PyCFunctionFast: entry::<F>,
        },
        ml_flags: METH_FASTCALL,
        ml_doc: F::DOC.as_ptr(),
    }
}

unsafe extern "C" fn entry<F: Function>(
    _: *mut PyObject,
    args: *mut *mut PyObject,
    count: Py_ssize_t,
) -> *mut PyObject {
    let count = count as usize;
    if count < F::FEWEST || count > F::MOST {
        return refuse_count::<F>(count);
    }
    // SAFETY: METH_FASTCALL promises `count` objects at `args` while the call lasts.
    let args = Args(unsafe { slice::from_raw_parts(args, count) });
    match F::call(&args) {
        // SAFETY: Python has called, so the thread is attached.
        Ok(Answer::Number(number)) => unsafe { PyLong_FromLong(number.into()) },
        // SAFETY: as above.
        Ok(Answer::Truth(truth)) => unsafe { PyBool_FromLong(truth.into()) },
        // SAFETY: as above; the text ends with a zero byte.
        Ok(Answer::Text(text)) => unsafe { PyUnicode_InternFromString(text.as_ptr()) },
        // SAFETY: as above.
        Ok(Answer::None) => unsafe { Py_NewRef(Py_None()) },
        Err(Raised) => ptr::null_mut(),
    }
}

#[cold]
fn refuse_count<F: Function>(count: usize) -> *mut PyObject {
    let takes = match (F::FEWEST, F::MOST) {
        (1, 1) => "1 argument".to_owned(),
        (few, most) if few == most => format!("{few} arguments"),
        (few, most) => format!("{few} or {most} arguments"),
    };
    let name = F::NAME.to_string_lossy();
    // SAFETY: Python has called, so the thread is attached.
    unsafe {
        raise(
            PyExc_TypeError,
            &format!("{name}() takes {takes}, by position; {count} were given"),
        );
    }
    ptr::null_mut()
}

/// Sets a ValueError, from within a function of the module.
#[cold]
pub(crate) fn value_error(_: &Args<'_>, message: &str) -> Raised {
    // SAFETY: `Args` exist only on an attached thread.
    unsafe { raise(PyExc_ValueError, message) }
}

impl Args<'_> {
    #[inline]
    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// The bytes of an argument.
    #[inline]
    pub(crate) fn data(&self, index: usize) -> Result<Data, Raised> {
        // SAFETY: arguments are objects that live as long as the call, on an attached thread. No
        // function returns the value.
        unsafe { Data::of_argument(self.0[index]) }
    }

    /// The bytes of an argument that can be written to.
    pub(crate) fn writable(&self, index: usize) -> Result<Data, Raised> {
        // SAFETY: as in `data`.
        unsafe { Data::writable(self.0[index]) }
    }

    /// A 16-bit number.
    #[inline]
    pub(crate) fn word(&self, index: usize, what: &str) -> Result<u16, Raised> {
        // SAFETY: an argument is an object, and the thread is attached.
        let number = unsafe { PyLong_AsLong(self.0[index]) };
        match u16::try_from(number) {
            Ok(number) => Ok(number),
            Err(_) => Err(self.refuse_number(number, what, 0xffff)),
        }
    }

    /// A number from 0 to `most`.
    pub(crate) fn number(&self, index: usize, what: &str, most: u32) -> Result<u32, Raised> {
        // SAFETY: as in `word`.
        let number = unsafe { PyLong_AsLong(self.0[index]) };
        match u32::try_from(number) {
            Ok(number) if number <= most => Ok(number),
            _ => Err(self.refuse_number(number, what, most)),
        }
    }

    #[cold]
    fn refuse_number(&self, number: c_long, what: &str, most: u32) -> Raised {
        // SAFETY: as in `word`.
        if number == -1 && unsafe { !PyErr_Occurred().is_null() } {
            return Raised;
        }
        value_error(
            self,
            &format!("{what} is from 0 to {most:#x}, not {number}"),
        )
    }

    /// A length or an offset in bytes.
    pub(crate) fn size(&self, index: usize, what: &str) -> Result<usize, Raised> {
        // SAFETY: as in `word`.
        let size = unsafe { PyNumber_AsSsize_t(self.0[index], PyExc_OverflowError) };
        match usize::try_from(size) {
            Ok(size) => Ok(size),
            // SAFETY: as in `word`.
            Err(_) if size == -1 && unsafe { !PyErr_Occurred().is_null() } => Err(Raised),
            Err(_) => Err(value_error(
                self,
                &format!("{what} is not negative, as {size} is"),
            )),
        }
    }

    /// A sum.
    #[inline]
    pub(crate) fn sum(&self, index: usize) -> Result<Sum, Raised> {
        Ok(Sum::from_value(self.word(index, "a sum")?))
    }

    /// An IPv4 address: its four bytes, its text, or an object of the module `ipaddress`.
    pub(crate) fn ipv4(&self, index: usize) -> Result<[u8; 4], Raised> {
        self.address(index, "IPv4", |text| {
            text.parse().map(|ip: Ipv4Addr| ip.octets()).ok()
        })
    }

    /// An IPv6 address, in the same forms.
    pub(crate) fn ipv6(&self, index: usize) -> Result<[u8; 16], Raised> {
        self.address(index, "IPv6", |text| match text.parse() {
            Ok(IpAddr::V6(ip)) => Some(Ipv6Addr::octets(&ip)),
            _ => None,
        })
    }

    fn address<const N: usize>(
        &self,
        index: usize,
        family: &str,
        parse: impl FnOnce(&str) -> Option<[u8; N]>,
    ) -> Result<[u8; N], Raised> {
        let object = self.0[index];
        let bytes = |data: Data| match data.as_slice().try_into() {
            Ok(address) => Ok(address),
            Err(_) => Err(value_error(
                self,
                &format!("an {family} address has {N} bytes, not {}", data.len()),
            )),
        };
        // SAFETY: as in `word`. `packed` is a new reference, which the block drops; the text
        // belongs to its object.
        unsafe {
            if PyUnicode_Check(object) != 0 {
                let mut len = 0;
                let start = PyUnicode_AsUTF8AndSize(object, &mut len);
                if start.is_null() {
                    return Err(Raised);
                }
                let text = slice::from_raw_parts(start.cast::<u8>(), len as usize);
                let text = str::from_utf8(text).unwrap_or_default();
                return parse(text).ok_or_else(|| {
                    value_error(self, &format!("{text:?} is not an {family} address"))
                });
            }
            const PACKED: *const c_char = c"packed".as_ptr();
            if PyObject_HasAttrString(object, PACKED) == 0 {
                return bytes(Data::of_argument(object)?);
            }
            let packed = PyObject_GetAttrString(object, PACKED);
            if packed.is_null() {
                return Err(Raised);
            }
            let address = Data::of_argument(packed).and_then(bytes);
            Py_DECREF(packed);
            address
        }
    }

    /// Computes something over `len` bytes. Other threads run Python meanwhile if that takes long.
    #[inline]
    pub(crate) fn over<T>(&self, len: usize, compute: impl FnOnce() -> T) -> T {
        if len <= LONG {
            return compute();
        }
        // SAFETY: `Args` exist only on an attached thread. `compute` uses buffers, which are held,
        // and no object. It cannot panic.
        unsafe {
            let thread = PyEval_SaveThread();
            let computed = compute();
            PyEval_RestoreThread(thread);
            computed
        }
    }
}
