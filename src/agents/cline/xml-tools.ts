/** A call as XML. Older versions have their model write calls into its text: `<execute_command><command>ls</command></execute_command>`. */
export interface XmlCall {
  readonly name: string;
  readonly args: Readonly<Record<string, string>>;
}

const TOOLS =
  `execute_command|read_file|write_to_file|replace_in_file|apply_diff|insert_content|search_and_replace|search_files|list_files
|list_code_definition_names|browser_action|use_mcp_tool|access_mcp_resource|ask_followup_question|attempt_completion|new_task|switch_mode
|plan_mode_respond|update_todo_list|codebase_search|fetch_instructions|web_fetch|condense|edit_file|run_slash_command`.replace(
    /\s/g,
    '',
  );
const CALL = new RegExp(`<(${TOOLS})>([\\s\\S]*?)(?:</\\1>|$)`, 'g');
const PARAMETER = /<(\w{1,60})>/g;
const MOST = 20;
const MOST_PARAMETERS = 50;

/** Returns the text without its calls, and the calls. */
export function xmlCalls(text: string): { readonly text: string; readonly calls: readonly XmlCall[] } {
  if (!text.includes('</')) return { text, calls: [] };
  const calls: XmlCall[] = [];
  const rest = text.replace(CALL, (whole, name: string, body: string) => {
    if (calls.length >= MOST) return whole;
    calls.push({ name, args: parametersOf(body) });
    return '';
  });
  return { text: rest.trim(), calls };
}

/** Searches for each closing tag with `indexOf`, a limited number of times: linear even if no tag is ever closed. */
function parametersOf(body: string): Readonly<Record<string, string>> {
  const args: Record<string, string> = {};
  let end = 0;
  let seen = 0;
  for (const match of body.matchAll(PARAMETER)) {
    if (match.index < end) continue;
    if (++seen > MOST_PARAMETERS) break;
    const [tag, key = ''] = match;
    const start = match.index + tag.length;
    const close = body.indexOf(`</${key}>`, start);
    if (close < 0) continue;
    end = close + key.length + 3;
    const value = body.slice(body[start] === '\n' ? start + 1 : start, close);
    if (key !== '__proto__') args[key] = value.endsWith('\n') ? value.slice(0, -1) : value;
  }
  return args;
}
