; What the code of Numba calls of its runtime, for kernels that use arrays of their own while they run.
; `dicecup_take` and `dicecup_give` take and give back memory (host.ll, wasm.ll).

define internal ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align) {
  %wide = zext i32 %align to i64
  %head = add i64 %size, 40
  %whole = add i64 %head, %wide
  %info = call ptr @dicecup_take(i64 %whole)
  %none = icmp eq ptr %info, null
  br i1 %none, label %failed, label %found
found:
  %first = ptrtoint ptr %info to i64
  %after = add i64 %first, 39
  %up = add i64 %after, %wide
  %mask = sub i64 0, %wide
  %place = and i64 %up, %mask
  %data = inttoptr i64 %place to ptr
  store i64 1, ptr %info
  %dtor = getelementptr i64, ptr %info, i64 1
  store i64 0, ptr %dtor
  %more = getelementptr i64, ptr %info, i64 2
  store i64 0, ptr %more
  %held = getelementptr i64, ptr %info, i64 3
  store i64 0, ptr %held
  store ptr %data, ptr %held
  %length = getelementptr i64, ptr %info, i64 4
  store i64 %size, ptr %length
  ret ptr %info
failed:
  ret ptr null
}

define internal void @NRT_MemInfo_call_dtor(ptr %info) {
  call void @dicecup_give(ptr %info)
  ret void
}

define internal ptr @NRT_Allocate(i64 %size) {
  %block = call ptr @dicecup_take(i64 %size)
  ret ptr %block
}

define internal void @NRT_Free(ptr %block) {
  call void @dicecup_give(ptr %block)
  ret void
}

; Kernels reshape contiguous arrays only.
define internal i32 @numba_attempt_nocopy_reshape(i64 %nd, ptr %dims, ptr %strides, i64 %new_nd, ptr %new_dims,
                                                  ptr %new_strides, i64 %item_size, i32 %fortran) {
entry:
  br label %loop
loop:
  %left = phi i64 [ %new_nd, %entry ], [ %at, %next ]
  %stride = phi i64 [ %item_size, %entry ], [ %larger, %next ]
  %more = icmp sgt i64 %left, 0
  br i1 %more, label %next, label %end
next:
  %at = sub i64 %left, 1
  %place = getelementptr i64, ptr %new_strides, i64 %at
  store i64 %stride, ptr %place
  %dim = getelementptr i64, ptr %new_dims, i64 %at
  %length = load i64, ptr %dim
  %larger = mul i64 %stride, %length
  br label %loop
end:
  ret i32 1
}
