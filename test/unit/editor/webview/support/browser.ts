import { vi } from 'vitest';

/**
 * Stubs what the pages need from a browser while they are loaded and pressed. The test file that calls it removes the stubs with
 * `vi.unstubAllGlobals`.
 */
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
