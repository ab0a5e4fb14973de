; SPDX-License-Identifier: MIT OR Apache-2.0
; The axioms `bits` of sums.acsl, over all numbers of 64 bits: of each, its negation. An unsigned
; remainder or quotient by a power of two equals the result for integers.
(set-logic QF_BV)
(declare-const x (_ BitVec 64))
(declare-const a (_ BitVec 64))
(declare-const b (_ BitVec 64))

(define-fun or-adds ((power (_ BitVec 64))) Bool
  (=> (and (= (bvurem a power) #x0000000000000000) (bvult b power))
      (and (= (bvor a b) (bvadd a b)) (= (bvor b a) (bvadd b a)))))

(push) ; and_1
(assert (not (= (bvand x #x0000000000000001) (bvurem x #x0000000000000002))))
(check-sat)
(pop)
(push) ; and_15
(assert (not (= (bvand x #x000000000000000f) (bvurem x #x0000000000000010))))
(check-sat)
(pop)
(push) ; and_32
(assert (not (= (bvand x #x00000000ffffffff) (bvurem x #x0000000100000000))))
(check-sat)
(pop)
(push) ; and_not_7
(assert (not (= (bvand x #xfffffffffffffff8) (bvsub x (bvurem x #x0000000000000008)))))
(check-sat)
(pop)
(push) ; and_field
(assert (not (= (bvand x #xffffffff0000ffff)
                (bvadd (bvsub x (bvurem x #x0000000100000000)) (bvurem x #x0000000000010000)))))
(check-sat)
(pop)
(push) ; or_8
(assert (not (or-adds #x0000000000000100)))
(check-sat)
(pop)
(push) ; or_16
(assert (not (or-adds #x0000000000010000)))
(check-sat)
(pop)
(push) ; or_32
(assert (not (or-adds #x0000000100000000)))
(check-sat)
(pop)
(push) ; or_48
(assert (not (or-adds #x0001000000000000)))
(check-sat)
(pop)
(push) ; or_56
(assert (not (or-adds #x0100000000000000)))
(check-sat)
(pop)
(push) ; turn_64
(assert (not (= (bvor (bvshl x #x0000000000000020) (bvlshr x #x0000000000000020))
                (bvadd (bvmul (bvurem x #x0000000100000000) #x0000000100000000)
                       (bvudiv x #x0000000100000000)))))
(check-sat)
(pop)
(push) ; turn_32
(assert (not (=> (bvult x #x0000000100000000)
                 (= (bvor (bvurem (bvshl x #x0000000000000010) #x0000000100000000)
                          (bvlshr x #x0000000000000010))
                    (bvadd (bvmul (bvurem x #x0000000000010000) #x0000000000010000)
                           (bvudiv x #x0000000000010000))))))
(check-sat)
(pop)
