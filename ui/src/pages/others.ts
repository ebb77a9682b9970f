/** The pages other than the start page and tables. Each is loaded when it is opened. */
import type { Component } from 'svelte';

type Load = () => Promise<{ default: Component<{ path: string[] }> }>;

export const pages: Readonly<Record<string, Load>> = {
  account: () => import('../people/AccountPage.svelte'),
  people: () => import('../people/ProfilePage.svelte'),
  archive: () => import('../people/ArchivePage.svelte'),
  ratings: () => import('../ratings/RatingsPage.svelte'),
  privacy: () => import('../people/PrivacyPage.svelte'),
  device: () => import('./Device.svelte'),
  events: () => import('../events/EventsPage.svelte'),
  learn: () => import('../guide/GuidePage.svelte'),
  rules: () => import('./Rules.svelte'),
  position: () => import('../sharing/PositionPage.svelte'),
  review: () => import('../learning/ReviewPage.svelte'),
  mistakes: () => import('../learning/MistakesPage.svelte'),
  train: () => import('../learning/TrainerPage.svelte'),
  statistics: () => import('./Statistics.svelte'),
  'sign-in': () => import('../people/ProviderPage.svelte'),
  transfer: () => import('./Transfer.svelte'),
  tournaments: () => import('./Tournaments.svelte'),
  mail: () => import('../people/MailPage.svelte'),
  admin: () => import('./Admin.svelte'),
};
