// Light and dark: as the system is, until somebody chooses.

import {keep, kept} from './store.js';

const THEME = 'theme'; // the name of what is kept

/** Shows the theme, and lets a button change it. */
export function prepareTheme(button) {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const show = theme => {
    document.documentElement.dataset.theme = theme;
  };
  const showSystem = () => show(dark.matches ? 'dark' : 'light');
  if (kept(THEME)) show(kept(THEME));
  else showSystem();
  dark.onchange = () => kept(THEME) ?? showSystem();
  button.onclick = () => {
    const theme = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
    show(theme);
    keep(THEME, theme);
  };
}
