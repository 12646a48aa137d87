/** Whether the person can see the page. What is hidden neither sends nor receives. */
import { signal } from '@preact/signals';

export const isVisible = signal(!document.hidden);

document.addEventListener('visibilitychange', () => (isVisible.value = !document.hidden));
