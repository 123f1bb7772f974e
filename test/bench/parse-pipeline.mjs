/**
 * Parses each line, if no whole pipeline is plugged in (`--pipeline MODULE`). Such a module exports `createPipeline(file)`, which returns for one
 * transcript
 *   markers  the byte sequences to count,
 *   line     (line: { text, line, offset }, calls) => void,
 *   finish   () => number of events,
 * and may export `prepare()`, called once before a series. full-pipeline.mjs is one.
 */
export function createPipeline() {
  let events = 0;
  return {
    markers: ['"type":"tool_use"'],
    line(line) {
      JSON.parse(line.text);
      events++;
    },
    finish: () => events,
  };
}
