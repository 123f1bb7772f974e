import { canonicalJson } from '../shared/connect/hook-messages';

/** A call as one text, equal for equal calls: without the free description that differs from call to call, and without empty arguments. */
export function canonicalCall(name: string, args: unknown): string {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return `${name} ${canonicalJson(args)}`;
  const kept = Object.entries(args).filter(([key, value]) => {
    if (value === null || value === undefined) return false;
    return !(name === 'bash' && key === 'description');
  });
  return `${name} ${canonicalJson(Object.fromEntries(kept))}`;
}
