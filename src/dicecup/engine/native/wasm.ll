; Memory for the arrays of kernels, and what only x86 has, for WebAssembly.
@__heap_base = external global i8
@dicecup_top = internal global i32 0
@dicecup_last = internal global i32 0
declare i32 @llvm.wasm.memory.size.i32(i32)
declare i32 @llvm.wasm.memory.grow.i32(i32, i32)

define internal i8 @dicecup_decrement(ptr %count, i64 %by, i32 %unused) {
  %old = load i64, ptr %count
  %new = sub i64 %old, %by
  store i64 %new, ptr %count
  %zero = icmp eq i64 %new, 0
  %result = zext i1 %zero to i8
  ret i8 %result
}

; A stack of blocks. A header holds the block below, and whether this one is free.
define internal ptr @dicecup_take(i64 %wide) {
  %size = trunc i64 %wide to i32
  %known = load i32, ptr @dicecup_top
  %fresh = icmp eq i32 %known, 0
  %base = ptrtoint ptr @__heap_base to i32
  %start = select i1 %fresh, i32 %base, i32 %known
  %rounded = add i32 %start, 15
  %header = and i32 %rounded, -16
  %first = add i32 %header, 16
  %end = add i32 %first, %size
  %pages = call i32 @llvm.wasm.memory.size.i32(i32 0)
  %room = shl i32 %pages, 16
  %short = icmp ugt i32 %end, %room
  br i1 %short, label %grow, label %take
grow:
  %lack = sub i32 %end, %room
  %over = add i32 %lack, 1114111
  %wanted = lshr i32 %over, 16
  %got = call i32 @llvm.wasm.memory.grow.i32(i32 0, i32 %wanted)
  %none = icmp eq i32 %got, -1
  br i1 %none, label %failed, label %take
take:
  %last = load i32, ptr @dicecup_last
  %place = inttoptr i32 %header to ptr
  store i32 %last, ptr %place
  %flag = getelementptr i32, ptr %place, i32 1
  store i32 0, ptr %flag
  store i32 %header, ptr @dicecup_last
  store i32 %end, ptr @dicecup_top
  %block = inttoptr i32 %first to ptr
  ret ptr %block
failed:
  ret ptr null
}

define internal void @dicecup_give(ptr %block) {
entry:
  %own = getelementptr i32, ptr %block, i32 -3
  store i32 1, ptr %own
  br label %loop
loop:
  %last = load i32, ptr @dicecup_last
  %none = icmp eq i32 %last, 0
  br i1 %none, label %end, label %look
look:
  %place = inttoptr i32 %last to ptr
  %flag = getelementptr i32, ptr %place, i32 1
  %freed = load i32, ptr %flag
  %keep = icmp eq i32 %freed, 0
  br i1 %keep, label %end, label %pop
pop:
  %below = load i32, ptr %place
  store i32 %below, ptr @dicecup_last
  store i32 %last, ptr @dicecup_top
  br label %loop
end:
  ret void
}

; Memory for the caller, which hands its arrays over in it.
define ptr @take(i32 %size) {
  %wide = zext i32 %size to i64
  %block = call ptr @dicecup_take(i64 %wide)
  ret ptr %block
}

define void @give(ptr %block) {
  call void @dicecup_give(ptr %block)
  ret void
}

; The product of two 128-bit numbers, for overflow checks of 64-bit products: LLVM calls it on wasm.
define void @__multi3(ptr %out, i64 %a, i64 %a_high, i64 %b, i64 %b_high) {
  %a0 = and i64 %a, 4294967295
  %a1 = lshr i64 %a, 32
  %b0 = and i64 %b, 4294967295
  %b1 = lshr i64 %b, 32
  %p00 = mul i64 %a0, %b0
  %p01 = mul i64 %a0, %b1
  %p10 = mul i64 %a1, %b0
  %p11 = mul i64 %a1, %b1
  %c0 = lshr i64 %p00, 32
  %l01 = and i64 %p01, 4294967295
  %l10 = and i64 %p10, 4294967295
  %m0 = add i64 %c0, %l01
  %middle = add i64 %m0, %l10
  %carry = lshr i64 %middle, 32
  %h01 = lshr i64 %p01, 32
  %h10 = lshr i64 %p10, 32
  %t0 = add i64 %p11, %carry
  %t1 = add i64 %t0, %h01
  %t2 = add i64 %t1, %h10
  %x0 = mul i64 %a, %b_high
  %x1 = mul i64 %a_high, %b
  %t3 = add i64 %t2, %x0
  %high = add i64 %t3, %x1
  %low = mul i64 %a, %b
  store i64 %low, ptr %out
  %place = getelementptr i64, ptr %out, i64 1
  store i64 %high, ptr %place
  ret void
}
