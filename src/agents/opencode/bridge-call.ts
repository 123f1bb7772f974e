import { canonicalJson } from '../shared/connect/hook-messages';

/**
 * Returns a call as one text that is equal for equal calls: without the free-text description, which varies between calls, and without empty
 * arguments.
 */
export function canonicalCall(name: string, args: unknown): string {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return `${name} ${canonicalJson(args)}`;
  const kept = Object.entries(args).filter(([key, value]) => {
    if (value === null || value === undefined) return false;
    return !(name === 'bash' && key === 'description');
  });
  return `${name} ${canonicalJson(Object.fromEntries(kept))}`;
}
