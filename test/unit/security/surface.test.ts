import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

vi.mock('vscode', () => ({ Uri: { joinPath: (...parts: readonly string[]) => parts.join('/') } }));
const { pageHtml } = await import('../../../src/editor/panel/html');

const root = resolve(__dirname, '../../..');
const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file, text: readFileSync(join(root, 'src', file), 'utf8') }));

/** Lines of the source that match a pattern, each with its place. */
function linesWith(pattern: RegExp): string[] {
  return sources.flatMap(({ file, text }) =>
    text.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
  );
}

interface Manifest {
  readonly contributes: {
    readonly configuration: readonly { readonly properties: Readonly<Record<string, { readonly scope: string }>> }[];
  };
}

describe('what the source offers to an attacker', () => {
  it('is no socket except the one for metrics: no other network module is loaded, and nothing is fetched', () => {
    const imports = linesWith(/['"](?:node:)?(?:http|https|http2|net|tls|dgram|dns)['"]/);
    // The code below the connection to a message server is in a separate bundle, too.
    expect(imports.map((line) => line.split(':')[0])).toEqual([
      'cli/metrics/server.ts',
      'fleet/connection/transport.ts',
      'fleet/connection/transport.ts',
    ]);
    // The code that sends metrics opens a socket itself: it is named in one room, which is loaded only when metrics are requested.
    const senders = linesWith(/['"]@opentelemetry\//).filter((line) => !line.startsWith('cli/metrics/'));
    expect(senders).toEqual([]);
    // The code that connects to a message server is in a separate bundle, and comes from these folders only.
    const connecting = linesWith(/['"]@nats-io\//).map((line) => line.split(':')[0]);
    expect(connecting.filter((file) => !/^fleet[\\/](?:connection|server)[\\/]/.test(file ?? ''))).toEqual([]);
    expect(linesWith(/\bfetch\(|\bWebSocket\b|\bXMLHttpRequest\b|\bEventSource\b|\bsendBeacon\b/)).toEqual([]);
  });

  it('is no markup: tooltips get plain text, and the panel sets no HTML', () => {
    expect(linesWith(/\bsupportHtml\b|\.isTrusted\s*=|unsafeHTML|innerHTML|outerHTML|insertAdjacentHTML/)).toEqual([]);
    // Markup is made in one place, which escapes texts (test/unit/editor/voice).
    expect(linesWith(/\bMarkdownString\(|\.append(?:Markdown|Text)\(/).map((line) => line.split(':')[0])).toEqual([
      'editor/voice/hover.ts',
    ]);
  });

  it('is no code made from text', () => {
    expect(linesWith(/\beval\(|new Function\(|setTimeout\(['"`]|vm\.run/)).toEqual([]);
  });

  it('is no folder setting that starts a program or acts automatically', () => {
    const { contributes } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
    const scopes = new Map(
      contributes.configuration.flatMap(({ properties }) =>
        Object.entries(properties).map(([name, { scope }]) => [name, scope] as const),
      ),
    );
    for (const name of [
      'connect.runtime',
      'gates.commands',
      'recovery.automatic',
      'recovery.limits',
      'recovery.models',
      'launch',
    ])
      expect([name, scopes.get(`unstuck.${name}`)]).toEqual([name, 'machine']);
    // Nor one that silences it.
    for (const name of ['notifications.for', 'notifications.quietHours'])
      expect([name, scopes.get(`unstuck.${name}`)]).toEqual([name, 'application']);
  });

  it('is a page that loads nothing and runs one script, allowed by a random nonce', async () => {
    const extension = mkdtempSync(join(tmpdir(), 'unstuck-page-'));
    onTestFinished(() => rmSync(extension, { recursive: true }));
    mkdirSync(join(extension, 'dist'));
    writeFileSync(join(extension, 'dist/codicon.ttf'), 'font');
    const { bundles } = (await import(pathToFileURL(join(root, 'scripts/bundles.mjs')).href)) as {
      bundles: () => (BuildOptions & { entryPoints: string[]; outfile: string })[];
    };
    const pages = bundles().filter(({ entryPoints }) => /src\/editor\/webview\//.test(entryPoints[0] ?? ''));
    expect(pages.map(({ outfile }) => outfile)).toHaveLength(8);
    for (const options of pages) await build({ ...options, outfile: join(extension, options.outfile) });

    for (const name of ['panel', 'overview', 'rules', 'statistics'] as const) {
      const page = () => pageHtml({ fsPath: extension } as never, name);
      const [one, two] = [page(), page()];
      const nonce = /script-src 'nonce-([A-Za-z0-9+/=]{24})'/.exec(one)?.[1] ?? '';
      expect(one).toContain(
        `content="default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; font-src data:"`,
      );
      const bundle = readFileSync(join(extension, `dist/${name}.js`), 'utf8');
      expect(one).toContain(`<script nonce="${nonce}">${bundle}</script>`);
      // Nothing in the bundle ends its element, or begins another one.
      expect(one.match(/<\/?(?:script|style|link|img|iframe)\b[^>]*>/gi)).toEqual([
        `<style nonce="${nonce}">`,
        '</style>',
        `<script nonce="${nonce}">`,
        '</script>',
      ]);
      expect(one.match(/\burl\([^)]*\)/g)).toEqual(['url(data:font/ttf;base64,Zm9udA==)']);
      expect(two).not.toContain(nonce);
    }
  });
});
