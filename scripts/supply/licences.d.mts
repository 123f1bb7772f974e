export function licenceProblems(
  shipped: readonly { readonly name: string; readonly licence: string }[],
  installed: Readonly<
    Record<string, { readonly license?: string; readonly optionalDependencies?: Readonly<Record<string, string>> }>
  >,
): string[];
