export interface RememberedLimits {
  /** Number of texts that are remembered. When one more is added, all are forgotten, so that a look-up need not maintain an order. */
  readonly most: number;
  /** Longest text that is remembered, in characters; for a longer one, `make` runs each time. */
  readonly longest: number;
}

/** Memoises `make` for recent texts: an agent repeats a few commands. */
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
