import { firstLine } from '../../base/util/text';
import type { AgentAdapter } from '../adapter';
import { cursorDescriptor } from './descriptor';
import { locate, placeOf, workplaceIn } from './places';

const RECORD = /^\s*\{"role":\s?"(?:user|assistant)",\s?"message":\s?\{"content":\s?\[/;
const ENDED = /^\s*\{"type":\s?"turn_ended",/;

/** Cursor (experimental): its transcripts hold texts and calls, but no results. */
export const cursor: AgentAdapter = {
  id: cursorDescriptor.id,
  name: cursorDescriptor.name,
  unit: 'line',
  locate,
  recognises: (head) => {
    const first = firstLine(head);
    return RECORD.test(first) || ENDED.test(first) ? 'yes' : 'no';
  },
  peek(head, file) {
    const cwd = workplaceIn(head);
    return { ...placeOf(file), ...(cwd !== undefined && { cwd }) };
  },
  decoder: 'cursor',
  callMarkers: ['{"type":"tool_use",', '{"type": "tool_use",'],
  writesTimes: false,
  showsRunningTool: false,
  turnEnds: 'some',
};
