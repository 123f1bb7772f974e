import { type BuildOptions, build, type Metafile } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { bundles } from '../../../scripts/bundles.mjs';

/** The sources in a file of the bundle and in everything that it imports at once. */
function loadedWith(name: string, outputs: Metafile['outputs'], seen = new Set<string>()): string[] {
  const output = outputs[name];
  if (!output || seen.has(name)) return [];
  seen.add(name);
  const next = output.imports.filter(({ kind }) => kind === 'import-statement');
  return [...Object.keys(output.inputs), ...next.flatMap(({ path }) => loadedWith(path, outputs, seen))];
}

describe('the start of the extension', () => {
  it('loads nothing that only a session, a gate or a store without a thread needs', async () => {
    const extension = bundles()[0] as BuildOptions;
    const { metafile } = await build({ ...extension, write: false, metafile: true });
    const main = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === 'src/editor/window.ts');
    const loaded = loadedWith(main?.[0] ?? '', metafile.outputs);
    expect(loaded).toContain('src/engine/engine.ts');
    const late =
      /^src\/(?:agents\/(?:decoders|[^/]+\/decoder)|engine\/session\/session|detect\/session\/session-detectors|base\/checks\/runners\/parse-output|history\/catalogue\/catalogue|fleet\/connection\/connect-fleet)\.ts$/;
    expect(loaded.filter((path) => late.test(path))).toEqual([]);
  });
});
