import type { Plugin } from 'esbuild';

export function asciiOnly(): Plugin;
export function asAscii(code: string): string;
