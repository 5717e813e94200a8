/*
 * What the headers of Python's limited interface ask of a platform, said by the compiler.
 *
 * A Python's own pyconfig.h tells of the machine that it runs on. This one is for whatever machine is
 * compiled for (`client-vscode/setup/scanner.py`), beside the other headers of any Python from 3.11
 * on: those are the same everywhere.
 */
#ifndef Py_PYCONFIG_H
#define Py_PYCONFIG_H

#define SIZEOF_SHORT __SIZEOF_SHORT__
#define SIZEOF_INT __SIZEOF_INT__
#define SIZEOF_LONG __SIZEOF_LONG__
#define SIZEOF_LONG_LONG __SIZEOF_LONG_LONG__
#define SIZEOF_SIZE_T __SIZEOF_SIZE_T__
#define SIZEOF_VOID_P __SIZEOF_POINTER__
#define SIZEOF_WCHAR_T __SIZEOF_WCHAR_T__

/* As in PC/pyconfig.h: what Python has is imported from python3.dll, data too. */
#if defined(_WIN32)
#define MS_WINDOWS 1
#define HAVE_DECLSPEC_DLL 1
#endif

#endif
