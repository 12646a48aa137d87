/** Asks before something is lost, and runs it. */
import { useSignal } from '@preact/signals';
import { html } from '../core/html.js';
import { Problem, useAction } from './action.js';
import { Dialog } from './dialog.js';
import { submitting, textInto } from './input.js';

/**
 * @param {{ title: string, act: () => Promise<void>, close: () => void, children: any, word?: string, typed?: { label: string, text: string },
 *   options?: any }} props
 * children: what is lost. word: what the button says. typed: a text that the person has to type first. options: what else can be chosen.
 */
export function ConfirmDelete({ title, act, close, children, word = 'Delete', typed, options }) {
  const text = useSignal('');
  const isSure = !typed || text.value === typed.text;
  const { run, isRunning, error } = useAction(async () => {
    await act();
    close();
  });
  return html`
    <${Dialog} title=${title} close=${close}>
      <form onSubmit=${submitting(() => isSure && run())}>
        ${children}
        ${typed && html`<label>${typed.label}<input autofocus autocomplete="off" value=${text.value} onInput=${textInto(text)} /></label>`}
        ${options}
        <${Problem} error=${error} />
        <footer>
          <button type="button" autofocus=${!typed} onClick=${close}>Cancel</button>
          <button class="primary danger" disabled=${isRunning || !isSure}>${isRunning ? 'Working…' : word}</button>
        </footer>
      </form>
    </${Dialog}>`;
}
