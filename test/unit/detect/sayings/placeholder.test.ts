import { describe, expect, test } from 'vitest';
import { confirmsWrite, saysNothing } from '../../../../src/detect/sayings/placeholder';
import { resultOf } from '../support/one-step';

const stands = (output: string): boolean => saysNothing(resultOf({ output }));

describe('what a harness puts in the place of a result', () => {
  test.each([
    ['Claude Code, OpenCode', '[Old tool result content cleared]'],
    ['SWE-agent', 'Old environment output: (12 lines omitted)'],
    ['SWE-agent, without the space', '  Old environment output:(1 lines omitted)'],
    [
      'Gemini CLI',
      '<tool_output_masked>\n[Tool output (0.21MB, 4012 lines) masked to preserve context window. Full output saved to: /x/y.txt]\n</tool_output_masked>',
    ],
    ['OpenHands', '<MASKED>'],
    ['others', '[output omitted to save context; call the tool again if you need it]'],
    ['others', '[Previous tool result removed to save context]'],
    ['others', '(tool result was compacted)'],
    ['others', '[tool result no longer available]'],
  ])('%s: %s', (_, output) => {
    expect(stands(output)).toBe(true);
  });

  test.each([
    ['a result that speaks of one', 'The old tool result was cleared by the harness, so I print it again: 7'],
    ['a file that quotes one', `const CLEARED = "[Old tool result content cleared]";\n${'x'.repeat(600)}`],
    ['a result that was cut at its end', `${'line of text\n'.repeat(60)}[output truncated: 20 lines]`],
    ['one that quotes SWE-agent', 'It says: Old environment output: (12 lines omitted)'],
    ['a tag of a page', '<content>The results were removed from the list.</content>'],
    ['a state of a job', '[job 12] removed 3 files'],
    ['nothing', ''],
  ])('but not %s', (_, output) => {
    expect(stands(output)).toBe(false);
  });
});

describe('images', () => {
  test.each([
    '[image]',
    '[Image #1]',
    '[image: screenshot.png]',
    '<image name="a.png" />',
    '<image>',
    '<image/>',
    '[img md5:0a1b2c]',
    'Took a screenshot.\n[image]',
  ])('say nothing without a digest of their bytes: %s', (output) => {
    expect(stands(output)).toBe(true);
  });

  test.each([
    '[image sha256:0a1b2c3d4e5f6071]',
    '[image md5=9e107d9d372bb6826bd81d3542a419d6]',
    '[image sha-0a1b2c3d]',
  ])('say which image it is with such a digest: %s', (output) => {
    expect(stands(output)).toBe(false);
  });

  test('a page of text with an image in it is text', () => {
    expect(stands(`[image] ${'The list of prices goes on. '.repeat(10)}`)).toBe(false);
    expect(stands('The image shows a red button.')).toBe(false);
  });
});

describe('the confirmation of a write', () => {
  test.each([
    'Report saved to /out/report.txt',
    'Saved to out.png',
    'Written: ./x.json',
    'Saved to "out.png"',
    "Saved to 'out/a.png'.",
    `Saved to ${'x'.repeat(150)}.png`,
    'exported to data.csv.',
    'Results written to results/a.json',
    'File written successfully to /tmp/a.txt\n',
  ])('names the file, not what is in it: %s', (output) => {
    expect(confirmsWrite(output)).toBe(true);
  });

  test.each([
    'saved 3 rows',
    'score 5\nSaved to out.png',
    'Failures written to /out/report.txt',
    'Failing rows exported to a.csv',
    'It fails: wrote a.csv',
    'Saved model',
    'Report saved to /out/report.txt\nscore 5',
    'Nothing was saved to /out/report.txt',
    'Error: could not be saved to /out/report.txt',
    `Saved to /out/${'x'.repeat(400)}.txt`,
    '',
  ])('does not include: %s', (output) => {
    expect(confirmsWrite(output)).toBe(false);
  });
});
