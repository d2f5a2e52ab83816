//! What is reported about files and the references between them.

base::codes! {
    UNREADABLE "B0201" Usage
        "a file cannot be read"
        "The file given on the command line does not exist, is a directory, or may not be read. Check the path and the permissions.";
    TOO_LARGE "B0202" Unsupported
        "a file is too large"
        "A B file of more than 32 MiB is refused before it is read: no person wrote it, and a generator that did can split it over several machines or definition files.";
    NOT_TEXT "B0203" Syntax
        "a file is not text"
        "The file holds bytes that no text has (NUL bytes), so it is probably an archive, a compiled file or an image. B machines are plain text in UTF-8 or UTF-16.";
    EMPTY "B0204" Syntax
        "a file holds no machine"
        "The file is empty, or holds blanks and comments only. A B file starts with MACHINE, MODEL, SYSTEM, REFINEMENT, IMPLEMENTATION or DEFINITIONS.";
    NOT_UTF8 "B0205" Syntax
        "a file is not valid UTF-8"
        "Some bytes of the file are not UTF-8 (often a file saved as Latin-1). They are read as U+FFFD, which is harmless inside comments and strings and an error elsewhere. Save the file as UTF-8 to get rid of the warning.";
    MACHINE_NOT_FOUND "B0210" Type
        "a referenced machine is not found"
        "A SEES, USES, INCLUDES, EXTENDS, IMPORTS or REFINES clause names a machine M, but none of M.ref, M.mch, M.sys, M.imp lies beside the referring file or in an imported package. File names are case sensitive. A path can be given with the pragma `/*@file \"path/M.mch\"*/` after the name.";
    NAME_DIFFERS "B0211" Type
        "a referenced file holds a machine of another name"
        "A machine is found by its file name, so the name in the header must be the same. Rename the file or the machine.";
    CYCLE "B0212" Type
        "machines refer to each other in a cycle"
        "Following SEES, USES, INCLUDES, EXTENDS, IMPORTS and REFINES must never lead back to the start. Move what both machines need into a third one that both see.";
    PACKAGE_MISMATCH "B0214" Type
        "a package does not fit the folders"
        "`/*@package a.b*/` says that the file lies in folder `b` below folder `a`; `/*@import-package a.b*/` adds that folder, below the same root, to the search. The folder must exist.";
    DEFINITION_FILE_NOT_FOUND "B0215" Type
        "a definition file is not found"
        "DEFINITIONS names a file that lies neither beside the including file nor in the built-in library. `docs/library.md` lists the built-in files.";
    DEFINITION_FILE_CYCLE "B0216" Syntax
        "definition files include each other in a cycle"
        "A definition file may include other definition files, but not, directly or indirectly, itself.";
    FILE_PRAGMA "B0218" Type
        "a file pragma does not fit"
        "`/*@file \"path/M.mch\"*/` after a machine name gives the path of that machine, relative to the referring file; its last part without extension must be the machine's name.";
    PARAMETER_COUNT "B0219" Type
        "a machine gets the wrong number of parameters"
        "INCLUDES, EXTENDS and IMPORTS give a value to every formal parameter of the machine; SEES, USES and REFINES give none.";
    TOO_MANY_FILES "B0220" Unsupported
        "a machine refers to too many files"
        "One machine may draw in at most 2,000 files.";
    UNSUPPORTED_CLAUSE "B0221" Unsupported
        "a clause is not supported"
        "The clauses REFERENCES, EXPRESSIONS and PREDICATES are recognised, but Burnside gives them no meaning. Write the formulas of EXPRESSIONS and PREDICATES as DEFINITIONS, and name referenced machines under SEES or INCLUDES.";
}
