; Memory for the arrays of kernels, from the C library.

declare ptr @malloc(i64)
declare void @free(ptr)

define internal ptr @dicecup_take(i64 %size) {
  %block = call ptr @malloc(i64 %size)
  ret ptr %block
}

define internal void @dicecup_give(ptr %block) {
  call void @free(ptr %block)
  ret void
}
