import * as fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { addHooks, hooksOf, removeHooks } from '../../../../src/agents/shared/connect/hook-settings';
import { cutOut } from '../../../../src/agents/shared/connect/json-edit';

const OURS = 'sh /storage/hook.sh # unstuck';
const isOurs = (command: string): boolean => command.endsWith('# unstuck');
const ENTRIES = [
  { event: 'Stop', command: { type: 'command', command: OURS, timeout: 5 } },
  { event: 'PreToolUse', command: { type: 'command', command: OURS, timeout: 5 } },
];

function add(before: string | null): { text: string; undo: () => string; remove: (edited?: string) => string | null } {
  const added = addHooks(before, ENTRIES);
  if (!added.ok) throw new Error(added.error);
  const { text, spans, kept } = added.value;
  return { text, undo: () => cutOut(text, spans), remove: (edited = text) => removeHooks(edited, isOurs, kept) };
}

describe('adding hooks to a person’s settings', () => {
  it('follows the style of an indented file and touches nothing else', () => {
    const before = `{
    // what I allow
    "permissions": { "allow": ["Bash(npm test)"] }, // my rules
    "hooks": {
        "Stop": [
            {
                "hooks": [{ "type": "command", "command": "say done" }] // mine
            }
        ]
    }
}
`;
    expect(add(before).text).toBe(`{
    // what I allow
    "permissions": { "allow": ["Bash(npm test)"] }, // my rules
    "hooks": {
        "Stop": [
            {
                "hooks": [{ "type": "command", "command": "say done" }] // mine
            },
            {
                "hooks": [
                    {
                        "type": "command",
                        "command": "sh /storage/hook.sh # unstuck",
                        "timeout": 5
                    }
                ]
            }
        ],
        "PreToolUse": [
            {
                "hooks": [
                    {
                        "type": "command",
                        "command": "sh /storage/hook.sh # unstuck",
                        "timeout": 5
                    }
                ]
            }
        ]
    }
}
`);
  });

  it.each([
    ['nothing in it', '{}'],
    ['nothing in it but lines', '{\n}\n'],
    ['one line', '{"model":"opus"}'],
    ['one line with blanks', '{ "model": "opus" }\n'],
    ['a trailing comma', '{\n  "model": "opus",\n}\n'],
    ['a trailing comma in one line', '{"model":"opus",}'],
    ['a comment at the end', '{\n  "model": "opus" // the large one\n}\n'],
    ['a comment and a comma at the end', '{\n  "model": "opus", // the large one\n  /* more */\n}\n'],
    ['tabs and Windows line breaks', '{\r\n\t"model": "opus"\r\n}\r\n'],
    ['a byte order mark', '\uFEFF{\n  "model": "opus"\n}'],
    ['empty hooks', '{"hooks":{}}'],
    ['an empty list', '{\n  "hooks": {\n    "Stop": []\n  }\n}'],
    ['only a comment', '{\n  // nothing yet\n}'],
    ['hooks of its own', '{"hooks":{"Stop":[{"matcher":"","hooks":[{"type":"command","command":"x"}]}],"Other":[]}}'],
    ['the same key twice', '{"hooks":1,"hooks":{"Stop":[]}}'],
    ['a closing bracket on the last line', '{\n  "model": "opus"}'],
  ])('keeps a file with %s valid, loses nothing, and can be undone byte for byte', (_, before) => {
    const { text, undo, remove } = add(before);
    expect(
      hooksOf(text)
        ?.filter(({ command }) => command['command'] === OURS)
        .map(({ event }) => event),
    ).toEqual(expect.arrayContaining(['Stop', 'PreToolUse']));
    expect(undo()).toBe(before);
    expect(parse(remove() ?? '', [], { allowTrailingComma: true })).toEqual(
      parse(before.replace('\uFEFF', ''), [], { allowTrailingComma: true }),
    );
  });

  it('writes our hooks alone into a file that does not exist yet', () => {
    const { text } = add(null);
    expect(JSON.parse(text)).toEqual({
      hooks: Object.fromEntries(ENTRIES.map(({ event, command }) => [event, [{ hooks: [command] }]])),
    });
    expect(text.endsWith('}\n')).toBe(true);
  });

  it.each(['', '\n', ' \n'])('writes them into a blank file too, and can be undone: %j', (before) => {
    const { text, undo } = add(before);
    expect(JSON.parse(text)).toEqual(JSON.parse(add(null).text));
    expect(undo()).toBe(before);
  });

  it.each([
    ['{', 'invalid_json'],
    ['{"a":1}}', 'invalid_json'],
    ['nonsense', 'invalid_json'],
    ['[]', 'unexpected_form'],
    ['"text"', 'unexpected_form'],
    ['{"hooks":[]}', 'unexpected_form'],
    ['{"hooks":{"Stop":{}}}', 'unexpected_form'],
  ])('does not touch %j: %s', (before, why) => {
    expect(addHooks(before, ENTRIES)).toEqual({ ok: false, error: why });
  });
});

describe('removing hooks from a file that was edited since', () => {
  it('keeps what the person added, with its comments', () => {
    const { text, remove } = add('{\n  "model": "opus"\n}\n');
    const edited = text
      .replace('"model": "opus"', '"model": "sonnet"')
      .replace('"Stop": [', '"Stop": [\n      { "hooks": [{ "type": "command", "command": "say done" }] }, // mine');
    expect(remove(edited)).toBe(`{
  "model": "sonnet",
  "hooks": {
    "Stop": [
      { "hooks": [{ "type": "command", "command": "say done" }] } // mine
    ]
  }
}
`);
  });

  it('keeps containers that existed before ours', () => {
    const before = '{\n  "hooks": {\n    "Stop": []\n  }\n}\n';
    const { text, remove } = add(before);
    expect(parse(remove(text.replace('"hooks": {', '"hooks": { // here')) ?? '')).toEqual({ hooks: { Stop: [] } });
  });

  it('removes ours from a group that the person also uses', () => {
    const edited = `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a"},{"type":"command","command":"${OURS}"},{"type":"command","command":"b"}]}]}}`;
    const out = removeHooks(edited, isOurs, { hooks: false, events: [] });
    expect(out).toBe(
      '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a"},{"type":"command","command":"b"}]}]}}',
    );
  });
});

/** JSON text in a random style: indentation, line breaks, comments, trailing commas. */
const styled = fc
  .record({
    value: fc.dictionary(
      fc.string({ maxLength: 6 }).filter((key) => key !== 'hooks' && key !== '__proto__'),
      fc.jsonValue({ maxDepth: 2 }),
      { maxKeys: 4 },
    ),
    hooks: fc.option(
      fc.dictionary(
        fc.constantFrom('Stop', 'PreToolUse', 'Other'),
        fc.array(
          fc.record({
            matcher: fc.constantFrom('', 'Bash'),
            hooks: fc.array(fc.record({ type: fc.constant('command'), command: fc.string() }), { maxLength: 2 }),
          }),
          { maxLength: 2 },
        ),
        { maxKeys: 3 },
      ),
      { nil: undefined },
    ),
    first: fc.boolean(),
    indent: fc.constantFrom('', '  ', '    ', '\t'),
    line: fc.constantFrom('\n', '\r\n'),
    comments: fc.boolean(),
    trailing: fc.boolean(),
    mark: fc.boolean(),
    end: fc.constantFrom('', '\n'),
  })
  .map(({ value, hooks, first, indent, line, comments, trailing, mark, end }) => {
    const all = hooks === undefined ? value : first ? { hooks, ...value } : { ...value, hooks };
    const whole: unknown = JSON.parse(JSON.stringify(all));
    let text = JSON.stringify(whole, null, indent);
    if (indent !== '') {
      if (trailing) text = text.replaceAll(/([^{[,\s])\n(\s*[\]}])/g, '$1,\n$2');
      if (comments) text = text.replaceAll(/\n/g, ' // a, "b" }\n').replace(' // a, "b" }\n', '\n/* { */\n');
      text = text.replaceAll('\n', line);
    }
    return { whole, text: `${mark ? '\uFEFF' : ''}${text}${end}` };
  });

describe('any settings file', () => {
  it('keeps its meaning, and is the same byte for byte after the removal', () => {
    fc.assert(
      fc.property(styled, ({ whole, text: before }) => {
        // The parser used for the comparison cannot read such a key.
        fc.pre(!before.includes('__proto__'));
        const { text, undo, remove } = add(before);
        expect(undo()).toBe(before);
        const meaning = (json: string): unknown => parse(json.replace('\uFEFF', ''), [], { allowTrailingComma: true });
        expect(meaning(before)).toEqual(whole);
        const after = meaning(text) as { hooks: Record<string, unknown[]> };
        for (const { event, command } of ENTRIES) expect(after.hooks[event]?.at(-1)).toEqual({ hooks: [command] });
        // Without the record of what was inserted: nothing of ours is left, and nothing else is lost.
        expect(meaning(remove() ?? '')).toEqual(whole);
        // Only insertions: the person's bytes are all there, in their order.
        let at = 0;
        for (const letter of before) {
          at = text.indexOf(letter, at) + 1;
          expect(at).toBeGreaterThan(0);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('can be read without an exception, whatever it holds', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        hooksOf(text);
        addHooks(text, ENTRIES);
        removeHooks(text, isOurs, { hooks: false, events: [] });
      }),
    );
  });
});
