import { resolve } from 'node:path';
import { build } from 'esbuild';

/**
 * Bundles the command line from the sources into one file, not minified.
 *
 * @param sources name of the sources, under which the command line keeps its results; absent: it keeps none
 */
export async function bundleCommandLine(outfile: string, sources?: string): Promise<void> {
  await build({
    entryPoints: [resolve(__dirname, '../../src/cli/cli.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    mainFields: ['module', 'main'],
    logLevel: 'silent',
    ...(sources !== undefined && { define: { UNSTUCK_BUILD: JSON.stringify(sources) } }),
  });
}
