;; The convolution of the dice reader (network.ts). A call calculates eight output channels.
;;
;; A plane has a row of zeros above and below, and zeros at the right end of its rows, so that the
;; neighbours of every pixel can be read. Four outputs that lie side by side are calculated at once.
(module
  (memory (export "memory") 1)

  ;; All addresses and distances are in bytes.
  (func (export "convolve")
    (param $from i32)     ;; address of the input that the first output lies at, in the first input channel
    (param $fromRow i32)  ;; distance of the inputs of two rows of outputs
    (param $fromStep i32) ;; distance of the inputs of four outputs: 16, or 32 where every second input has an output
    (param $offsets i32)  ;; address of the distances from that input to those that an output sees
    (param $end i32)      ;; address behind the last of them
    (param $weights i32)  ;; address of eight biases, then of eight weights for each input that is seen
    (param $to i32)       ;; address of the first output of the first channel
    (param $toRow i32)    ;; distance of two rows of outputs
    (param $toPlane i32)  ;; distance of two channels
    (param $size i32)     ;; width and height of a plane of outputs
    (param $least f32)    ;; outputs below become this number
    (local $row i32) (local $column i32) (local $input i32) (local $output i32) (local $offset i32) (local $weight i32)
    (local $place i32)
    (local $seen v128) (local $inside v128) (local $limit v128)
    ;; $a to $h: the sums of four outputs in each of the eight channels
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $e v128) (local $f v128) (local $g v128) (local $h v128)
    (local.set $limit (f32x4.splat (local.get $least)))
    (loop $rows
      (local.set $input (local.get $from))
      (local.set $output (local.get $to))
      (local.set $column (i32.const 0))
      (loop $columns
        (local.set $weight (local.get $weights))
        (local.set $a (v128.load32_splat (local.get $weight)))
        (local.set $b (v128.load32_splat offset=4 (local.get $weight)))
        (local.set $c (v128.load32_splat offset=8 (local.get $weight)))
        (local.set $d (v128.load32_splat offset=12 (local.get $weight)))
        (local.set $e (v128.load32_splat offset=16 (local.get $weight)))
        (local.set $f (v128.load32_splat offset=20 (local.get $weight)))
        (local.set $g (v128.load32_splat offset=24 (local.get $weight)))
        (local.set $h (v128.load32_splat offset=28 (local.get $weight)))
        (local.set $offset (local.get $offsets))
        (loop $inputs
          (local.set $weight (i32.add (local.get $weight) (i32.const 32)))
          (local.set $seen (v128.load (i32.add (local.get $input) (i32.load (local.get $offset)))))
          (if (i32.eq (local.get $fromStep) (i32.const 32))
            (then
              (local.set $seen
                (i8x16.shuffle 0 1 2 3 8 9 10 11 16 17 18 19 24 25 26 27
                  (local.get $seen)
                  (v128.load offset=16 (i32.add (local.get $input) (i32.load (local.get $offset))))))))
          (local.set $a (f32x4.add (local.get $a) (f32x4.mul (local.get $seen) (v128.load32_splat (local.get $weight)))))
          (local.set $b (f32x4.add (local.get $b) (f32x4.mul (local.get $seen) (v128.load32_splat offset=4 (local.get $weight)))))
          (local.set $c (f32x4.add (local.get $c) (f32x4.mul (local.get $seen) (v128.load32_splat offset=8 (local.get $weight)))))
          (local.set $d (f32x4.add (local.get $d) (f32x4.mul (local.get $seen) (v128.load32_splat offset=12 (local.get $weight)))))
          (local.set $e (f32x4.add (local.get $e) (f32x4.mul (local.get $seen) (v128.load32_splat offset=16 (local.get $weight)))))
          (local.set $f (f32x4.add (local.get $f) (f32x4.mul (local.get $seen) (v128.load32_splat offset=20 (local.get $weight)))))
          (local.set $g (f32x4.add (local.get $g) (f32x4.mul (local.get $seen) (v128.load32_splat offset=24 (local.get $weight)))))
          (local.set $h (f32x4.add (local.get $h) (f32x4.mul (local.get $seen) (v128.load32_splat offset=28 (local.get $weight)))))
          (br_if $inputs (i32.lt_u (local.tee $offset (i32.add (local.get $offset) (i32.const 4))) (local.get $end))))
        ;; The zeros at the end of a row stay.
        (local.set $inside
          (i32x4.lt_s (i32x4.add (i32x4.splat (local.get $column)) (v128.const i32x4 0 1 2 3)) (i32x4.splat (local.get $size))))
        (local.set $place (local.get $output))
        (call $store (local.get $place) (local.get $a) (local.get $limit) (local.get $inside))
        (local.set $place (i32.add (local.get $place) (local.get $toPlane)))
        (call $store (local.get $place) (local.get $b) (local.get $limit) (local.get $inside))
        (local.set $place (i32.add (local.get $place) (local.get $toPlane)))
        (call $store (local.get $place) (local.get $c) (local.get $limit) (local.get $inside))
        (local.set $place (i32.add (local.get $place) (local.get $toPlane)))
        (call $store (local.get $place) (local.get $d) (local.get $limit) (local.get $inside))
        (local.set $place (i32.add (local.get $place) (local.get $toPlane)))
        (call $store (local.get $place) (local.get $e) (local.get $limit) (local.get $inside))
        (local.set $place (i32.add (local.get $place) (local.get $toPlane)))
        (call $store (local.get $place) (local.get $f) (local.get $limit) (local.get $inside))
        (local.set $place (i32.add (local.get $place) (local.get $toPlane)))
        (call $store (local.get $place) (local.get $g) (local.get $limit) (local.get $inside))
        (local.set $place (i32.add (local.get $place) (local.get $toPlane)))
        (call $store (local.get $place) (local.get $h) (local.get $limit) (local.get $inside))
        (local.set $input (i32.add (local.get $input) (local.get $fromStep)))
        (local.set $output (i32.add (local.get $output) (i32.const 16)))
        (br_if $columns (i32.lt_u (local.tee $column (i32.add (local.get $column) (i32.const 4))) (local.get $size))))
      (local.set $from (i32.add (local.get $from) (local.get $fromRow)))
      (local.set $to (i32.add (local.get $to) (local.get $toRow)))
      (br_if $rows (i32.lt_u (local.tee $row (i32.add (local.get $row) (i32.const 1))) (local.get $size)))))

  (func $store (param $to i32) (param $value v128) (param $limit v128) (param $inside v128)
    (v128.store (local.get $to) (v128.and (f32x4.max (local.get $value) (local.get $limit)) (local.get $inside)))))
