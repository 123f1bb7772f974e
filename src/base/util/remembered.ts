export interface RememberedLimits {
  /** Texts that are remembered. When one more comes, all are forgotten: a look-up then keeps no order. */
  readonly most: number;
  /** Longest text that is remembered, characters; `make` runs each time for a longer one. */
  readonly longest: number;
}

/** Memoises `make` for recent texts: an agent comes back to few commands. */
export function remembered<Value>(
  make: (text: string) => Value,
  { most, longest }: RememberedLimits,
): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    if (text.length > longest) return make(text);
    const before = known.get(text);
    if (before !== undefined) return before;
    const made = make(text);
    if (known.size >= most) known.clear();
    known.set(text, made);
    return made;
  };
}
