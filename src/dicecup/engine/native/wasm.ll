; What LLVM calls on WebAssembly and no C library of the interpreter exports.

; The product of two 128-bit numbers, for overflow checks of 64-bit products: LLVM calls it on wasm.
define hidden void @__multi3(ptr %out, i64 %a, i64 %a_high, i64 %b, i64 %b_high) {
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
