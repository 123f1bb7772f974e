import type { BuildOptions, Plugin } from 'esbuild';

export const LATER: Pick<BuildOptions, 'format' | 'globalName' | 'banner' | 'footer'> & { entryPoints: string[] };
export function splitLater(
  options: BuildOptions,
  root: string,
  doors: RegExp,
): { readonly forMain: Plugin; readonly forLater: Plugin };
