import { vi } from 'vitest';

/** What the pages ask a browser for while they are loaded and pressed. The file of tests that calls it removes it with `vi.unstubAllGlobals`. */
export function stubBrowser(): void {
  vi.stubGlobal('navigator', { platform: 'Linux' });
  for (const name of ['Element', 'HTMLElement', 'HTMLTextAreaElement', 'HTMLInputElement'])
    vi.stubGlobal(
      name,
      class {
        value = '';
        blur = () => {};
      },
    );
}
