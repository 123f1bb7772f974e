export function codeOnPath(env: Readonly<Record<string, string | undefined>>, platform: string): string | undefined;
export function openInCode(parts: {
  readonly code: string;
  readonly root: string;
  readonly extension: string;
  readonly demo: { readonly workspace: string; readonly home: string; readonly start: () => Promise<void> };
}): Promise<number>;
