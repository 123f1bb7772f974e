import { render } from 'lit/html.js';
import { ref } from 'lit/directives/ref.js';
import { DESCRIBED_STEPS, type HostMessage, type PanelSnapshot, type StepSubjects } from '../panel-model';
import { createAnnouncer } from './announcer';
import { moveColumn } from './columns';
import { type Host, askForPicture } from './host';
import {
  type Actions,
  type Derived,
  FRESH,
  caretOf,
  type Local,
  type Model,
  derive,
  isSending,
  messageKey,
  messageText,
  withSnapshot,
} from './panel-model';
import { fromState, toState } from './persist';
import { type Timeline, createTimeline } from './timeline/controller';
import { actOf } from './timeline/keys';
import { stepSubjectOf } from './timeline/steps';
import { loading, page } from './view/page';
import { timeline } from './view/timeline';
import { watchView } from './watch-view';

const SAVE_MS = 1000;
/** Time without an answer after which the message can be sent again, milliseconds. */
const ANSWER_MS = 5000;
/** Number of answers to `describeSteps` that are kept. */
const KEPT_SUBJECTS = 20;

/** Runs the panel in `body`: draws the host's snapshots, and sends it what the reader requests. */
export function startPanel(body: HTMLElement, editor: Host): void {
  const stored = fromState(editor.load());
  const announcer = createAnnouncer();
  const root = body.appendChild(document.createElement('div'));
  const voice = body.appendChild(document.createElement('div'));
  voice.className = 'voice';
  voice.setAttribute('aria-live', 'polite');

  let snapshot: PanelSnapshot | null = null;
  let derived: Derived | null = null;
  let local: Local = stored?.local ?? FRESH;
  /** The host's clock minus ours. Ages are counted by the clock that wrote the times. */
  let skew = 0;
  let answers: readonly StepSubjects[] = [];
  let asked = '';
  let canvas: Timeline | null = null;
  let canvasHost: Element | null = null;
  let frame = 0;
  let focusWanted = false;

  // The picture of another agent or incident may be on its way.
  const host: Host = {
    ...editor,
    send: (intent) =>
      editor.send({ ...intent, ...(snapshot && { session: snapshot.session, shown: snapshot.incident?.id ?? '' }) }),
  };
  const now = () => Date.now() + skew;
  const schedule = () => {
    if (frame === 0) frame = requestAnimationFrame(draw);
  };
  const change = (part: Partial<Local>) => {
    local = { ...local, ...part };
    schedule();
  };

  const model = (): Model | null => {
    if (!snapshot || !derived) return null;
    return {
      snapshot,
      local,
      now: now(),
      steps: derived.steps,
      rows: local.allEvidence ? derived.unfolded : derived.folded,
      comparison: derived.comparison,
      subjects: [snapshot.timeline.subjects, ...answers],
    };
  };

  const actions: Actions = {
    send: (intent) => host.send(intent),
    change,
    select(step) {
      const end = derived?.steps.range.end ?? 0;
      // The newest step is followed, not selected.
      change({ selected: step >= end - 1 ? null : step });
    },
    openStep: (step) => host.send({ type: 'openStep', step }),
    placeSteps(mode) {
      change({ mode });
      host.send({ type: 'timelineMode', mode });
    },
    focusMessage() {
      change({ boxOpen: true });
      focusWanted = true;
      flush();
    },
    sendMessage() {
      const shown = model();
      if (!shown?.snapshot.message) return;
      const { incident } = shown.snapshot.message;
      const sent = { key: messageKey(shown.snapshot), text: local.text, isLate: false };
      // The button is disabled as soon as that is drawn, but keys can be faster.
      if (isSending(shown)) return;
      host.send({ type: 'sendNudge', text: messageText(shown), ...(incident !== undefined && { incident }) });
      change({ sent });
      setTimeout(() => {
        if (local.sent === sent) change({ sent: { ...sent, isLate: true } });
      }, ANSWER_MS);
    },
    edit(delivery) {
      host.send({ type: 'withdraw', id: delivery.id });
      change({ text: delivery.text });
      actions.focusMessage();
    },
  };

  const connectCanvas = (element: Element | undefined) => {
    if (!(element instanceof HTMLElement) || element === canvasHost) return;
    canvasHost = element;
    canvas = createTimeline(element, {
      select: (step) => actions.select(step),
      hover: (hovered) => change({ hovered }),
      open: (step) => actions.openStep(step),
      move: (window) => change({ window }),
      shows: describe,
    });
  };

  /** Requests the names of the steps in view that are not known. */
  const describe = (from: number, to: number) => {
    const shown = model();
    if (!shown) return;
    const unknown = (step: number) => stepSubjectOf(shown.subjects, step) === undefined;
    let first = Math.max(from, shown.steps.range.first);
    while (first < to && !unknown(first)) first++;
    let end = to;
    while (end > first && !unknown(end - 1)) end--;
    if (first >= end) return;
    // The names of all steps of a long session are not needed: the readout shows one at a time.
    const middle = local.selected ?? end;
    const start =
      end - first <= DESCRIBED_STEPS
        ? first
        : Math.max(first, Math.min(end - DESCRIBED_STEPS, middle - DESCRIBED_STEPS / 2));
    const range = { from: Math.floor(start), to: Math.min(end, Math.floor(start) + DESCRIBED_STEPS) };
    const key = `${shown.snapshot.session} ${range.from} ${range.to}`;
    if (key === asked) return;
    asked = key;
    host.send({ type: 'describeSteps', ...range });
  };

  const keydown = (event: KeyboardEvent) => {
    if (!derived || !canvas) return;
    const act = actOf(event, derived.steps, local.selected ?? derived.steps.range.end - 1);
    if (!act) return;
    event.preventDefault();
    canvas.act(act);
  };

  const draw = () => {
    frame = 0;
    const shown = model();
    if (!shown) return;
    const strip = timeline(shown, actions, canvas, { keydown, connect: ref(connectCanvas) });
    render(page(shown, actions, strip), root);
    canvas?.update(shown.steps, local, currentOf(local), shown.now);
    view.observe();
    if (focusWanted) focusBox();
  };
  /** Scrolls to the message box and focuses it, before the first thing that a draft asks for. Waits if the box is not drawn yet. */
  const focusBox = () => {
    const box = root.querySelector('textarea');
    if (!box) return;
    focusWanted = false;
    const still =
      matchMedia('(prefers-reduced-motion: reduce)').matches || body.classList.contains('vscode-reduce-motion');
    box.scrollIntoView({ block: 'center', behavior: still ? 'auto' : 'smooth' });
    box.focus({ preventScroll: true });
    // Nothing is selected, since the first key would erase the draft.
    const caret = caretOf(box.value);
    box.setSelectionRange(caret, caret);
    box.scrollTop = 0;
  };
  const flush = () => {
    cancelAnimationFrame(frame);
    draw();
  };

  const view = watchView(root, (seen) => {
    if (seen.scrolled !== local.scrolled || seen.boxInView !== local.boxInView) change(seen);
  });

  const show = (next: PanelSnapshot) => {
    skew = next.now - Date.now();
    const isFirst = snapshot === null;
    if (snapshot && snapshot.session !== next.session) {
      answers = [];
      asked = '';
      // The reader's place was in the other agent; this one starts at its lead.
      scrollTo(0, 0);
    }
    // The stored state is about another agent.
    if (!snapshot && stored?.session !== next.session) local = { ...FRESH, mode: local.mode };
    local = withSnapshot(local, snapshot, next);
    snapshot = next;
    derived = derive(next);
    say(announcer.state(next, performance.now()));
    // The first picture does not wait for a frame: a page that was just created gets its first frame late.
    if (isFirst) flush();
    else schedule();
  };

  const say = (words: string | null) => {
    if (words !== null) voice.textContent = words;
  };

  const handle = (message: HostMessage) => {
    switch (message.type) {
      case 'snapshot':
        show(message.snapshot);
        return;
      case 'subjects':
        answers = [message.subjects, ...answers].slice(0, KEPT_SUBJECTS);
        schedule();
        return;
      case 'timelineMode':
        change({ mode: message.mode });
    }
  };

  addEventListener('message', (event: MessageEvent<HostMessage>) => handle(event.data));
  addEventListener('keydown', (event) => {
    if (event.key === 'F6' && moveColumn(root, event.shiftKey ? -1 : 1)) event.preventDefault();
    if (event.key === 'F8' && event.altKey) {
      event.preventDefault();
      host.send({ type: 'nextNeedingMe' });
    }
  });

  const save = () => {
    if (snapshot) host.save(toState(snapshot, local));
  };
  let savedSnapshot: PanelSnapshot | null = null;
  let savedLocal: Local | null = null;
  setInterval(() => {
    if (document.hidden || (snapshot === savedSnapshot && local === savedLocal)) return;
    savedSnapshot = snapshot;
    savedLocal = local;
    save();
  }, SAVE_MS);
  setInterval(() => {
    say(announcer.due(performance.now()));
    if (!document.hidden) schedule();
  }, 1000);
  document.addEventListener('visibilitychange', () => (document.hidden ? save() : schedule()));

  render(loading(), root);
  askForPicture(host, () => snapshot !== null);

  function currentOf({ hovered, selected }: Local): number | null {
    return hovered && 'step' in hovered ? hovered.step : selected;
  }
}
