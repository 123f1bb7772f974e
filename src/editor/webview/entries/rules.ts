import type { RulesIntent, RulesMessage } from '../../panel-model';
import { connectHost, type Host } from '../host';
import { render } from 'lit/html.js';
import { page } from '../rules/view';

startRules(document.body, connectHost<RulesIntent>());

/** Runs the page of rules in `body`: draws what the host sends, and requests changes. */
function startRules(body: HTMLElement, host: Host<RulesIntent>): void {
  const root = body.appendChild(document.createElement('main'));
  let message: RulesMessage | null = null;
  /** Order of the rows. They stay where they were first drawn: a click must not hit a rule other than the intended one. */
  let order: readonly string[] = [];

  const draw = () =>
    render(
      page(message, (intent) => host.send(intent)),
      root,
    );
  window.addEventListener('message', ({ data }: MessageEvent<RulesMessage>) => {
    if (data.session !== message?.session) order = data.rows.map(({ detector }) => detector);
    const rows = [...data.rows].sort((a, b) => order.indexOf(a.detector) - order.indexOf(b.detector));
    message = { ...data, rows };
    host.save({ session: data.session });
    draw();
  });
  draw();
  host.send({ type: 'ready' });
}
