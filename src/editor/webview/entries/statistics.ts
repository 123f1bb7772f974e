import { type StatisticsIntent, RANGES, type RangeDays, type StatisticsMessage } from '../../panel-model';
import { connectHost, type Host } from '../host';
import { render } from 'lit/html.js';
import { page } from '../statistics/view';

startStatistics(document.body, connectHost<StatisticsIntent>());

/** Runs the statistics page in `body`: draws the figures that the host sends, and requests another range. */
function startStatistics(body: HTMLElement, host: Host<StatisticsIntent>): void {
  const root = body.appendChild(document.createElement('main'));
  const stored = host.load() as { readonly days?: unknown } | null | undefined;
  let days: RangeDays = RANGES.find((one) => one === stored?.days) ?? 30;
  let message: StatisticsMessage | null = null;

  const choose = (chosen: RangeDays) => {
    days = chosen;
    host.save({ days });
    host.send({ type: 'range', days });
    draw();
  };
  const draw = () => render(page(message, days, choose), root);
  window.addEventListener('message', ({ data }: MessageEvent<StatisticsMessage>) => {
    message = data;
    draw();
  });
  draw();
  host.send({ type: 'ready', days });
}
