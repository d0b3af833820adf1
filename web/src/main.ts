import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { loadTexts } from './i18n';

const target = document.getElementById('app');
if (!target) throw new Error('missing element #app');
// Not awaited: the module of the texts may itself wait for this one.
void loadTexts().then(() => mount(App, { target }));
