#%Module
# For Environment Modules and Lmod, as `ats install` writes it.

module-whatis "ATS @VERSION@: programs with known performance properties, and an analyzer that is validated with them"
conflict ats

set prefix {@PREFIX@}
prepend-path PATH $prefix/bin
prepend-path MANPATH $prefix/share/man
prepend-path PKG_CONFIG_PATH $prefix/lib/pkgconfig
prepend-path CMAKE_PREFIX_PATH $prefix
