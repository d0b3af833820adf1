// The parts of the page that only people on different machines need. They are loaded on demand, and the static page does not
// contain them.

export const parts =
  import.meta.env.MODE === 'site'
    ? null
    : {
        lobby: () => import('../pages/Lobby.svelte'),
        join: () => import('../pages/Join.svelte'),
        invitation: () => import('../components/Invitation.svelte'),
        chat: () => import('../components/Chat.svelte'),
        transfer: () => import('../components/Transfer.svelte'),
      };
