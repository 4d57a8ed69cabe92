# Parallel loops of C targets on the GPU. CMake 3.21 or later, with a Makefile or Ninja generator.
#
#   execute_process(COMMAND ompc --cmake-dir OUTPUT_VARIABLE OMPC_DIR OUTPUT_STRIP_TRAILING_WHITESPACE)
#   include(${OMPC_DIR}/ompc.cmake)
#
#   add_executable(solver main.c mesh.c)
#   ompc_translate(solver)                              all C files of the target
#   ompc_translate(solver mesh.c OPTIONS --opt thesis)  one of them, with options of `ompc cc`
#
# ompc stands in front of the compiler and the linker of the target, as ccache would, and in the place of another such
# launcher; -fopenmp is added. A target that links a translated static or object library must be translated too.

if(CMAKE_VERSION VERSION_LESS 3.21)
  message(FATAL_ERROR "ompc.cmake needs CMake 3.21 or later, which has LINKER_LAUNCHER; this is ${CMAKE_VERSION}")
endif()

find_program(OMPC_COMMAND ompc REQUIRED DOC "The command ompc")

function(ompc_translate target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "OPTIONS")
  set(c ${OMPC_COMMAND} cc ${arg_OPTIONS} --cc)
  set(cxx ${OMPC_COMMAND} c++ ${arg_OPTIONS} --cxx)
  set_target_properties(${target} PROPERTIES
    C_COMPILER_LAUNCHER "${c}"
    C_LINKER_LAUNCHER "${c}"
    CXX_LINKER_LAUNCHER "${cxx}"
    OMPC_SOURCES "${arg_UNPARSED_ARGUMENTS}")
  # Properties, since target_link_libraries() would have to be called as the project calls it, with PRIVATE or without.
  set_property(TARGET ${target} APPEND PROPERTY COMPILE_OPTIONS "$<$<COMPILE_LANGUAGE:C>:-fopenmp>")
  set_property(TARGET ${target} APPEND PROPERTY LINK_OPTIONS -fopenmp)

  if(arg_UNPARSED_ARGUMENTS)
    get_target_property(sources ${target} SOURCES)
    foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
      if(NOT source IN_LIST sources)
        message(FATAL_ERROR "ompc_translate: ${source} is no source file of ${target}")
      endif()
    endforeach()
    # A source may belong to other targets as well, so its options ask which target this is.
    set(named "$<TARGET_PROPERTY:OMPC_SOURCES>")
    list(REMOVE_ITEM sources ${arg_UNPARSED_ARGUMENTS})
    list(FILTER sources INCLUDE REGEX "\\.c$")
    foreach(source IN LISTS sources)
      set(other "$<AND:$<BOOL:${named}>,$<NOT:$<IN_LIST:${source},${named}>>>")
      set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS "$<${other}:--target=host>")
    endforeach()
  endif()
endfunction()
