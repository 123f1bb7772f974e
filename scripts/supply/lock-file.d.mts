export function lockFileProblems(
  installed: Readonly<
    Record<string, { readonly resolved?: string; readonly integrity?: string; readonly optional?: boolean }>
  >,
): string[];
