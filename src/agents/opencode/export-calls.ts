import { copied } from '../shared/decode';

/** Calls of repeated messages count once. */
export function createExportCalls(): (text: string, found: number) => number {
  const counted = new Set<string>();
  return (text, found) => {
    if (found === 0) return 0;
    const before = counted.size;
    // A piece of the text would keep the whole text in memory.
    for (const match of text.matchAll(/"callID":\s?"([^"\\]{1,200})"/g)) counted.add(copied(match[1] ?? ''));
    return counted.size - before;
  };
}
