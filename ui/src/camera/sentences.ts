/** What the dialog says of the dice that the camera sees. */
import { t } from '../lib/messages.svelte';
import { judge, facesOf, type Expected } from './dice';
import type { Obstacle } from './pictureSources';
import type { Seen } from './watching';

/** Where the picture comes from. `starting`: the camera is being asked for. */
export type Source = 'starting' | 'camera' | 'photo';

/** Why nothing can be read: the camera, the reader or the photo is missing. */
export type Trouble = Obstacle | 'not-loaded' | 'no-photo';

interface State {
  obstacle: Trouble | null;
  source: Source;
  seen: Seen;
  expected: Expected;
}

/** Return the sentence for a state of the dialog. */
export function sentenceOf({ obstacle, source, seen, expected }: State): string {
  if (obstacle !== null) return sentenceOfObstacle(obstacle);
  if (source === 'starting') return t('ui_camera_asking');
  const { count } = seen;
  const thrown = expected.count - expected.kept.length;
  switch (seen.sight) {
    case 'dark':
      return t('ui_camera_dark');
    case 'empty':
      return t(source === 'photo' ? 'ui_camera_no_dice' : 'ui_camera_aim');
    case 'moving':
      return t(source === 'photo' ? 'ui_tray_moment' : 'ui_camera_moving');
    case 'few':
      return t('ui_camera_few', { count, wanted: count < thrown ? thrown : expected.count });
    case 'many':
      return t('ui_camera_many', { count, wanted: expected.count });
    case 'still':
      return sentenceOfDice(seen, expected);
  }
}

function sentenceOfDice({ dice }: Seen, expected: Expected): string {
  const faces = facesOf(dice).join(' ');
  switch (judge(dice, expected)) {
    case 'doubtful':
      return t('ui_camera_doubtful', { faces, count: dice.filter(({ doubtful }) => doubtful).length });
    case 'kept-missing':
      return t('ui_camera_kept_missing', { faces, kept: expected.kept.join(' ') });
    default:
      return t(dice.length < expected.count ? 'ui_camera_thrown_show' : 'ui_camera_all_show', { faces });
  }
}

function sentenceOfObstacle(obstacle: Trouble): string {
  switch (obstacle) {
    case 'insecure':
      return t('ui_camera_insecure');
    case 'refused':
      return t('ui_camera_refused');
    case 'none':
      return t('ui_camera_none');
    case 'busy':
      return t('ui_camera_busy');
    case 'lost':
      return t('ui_camera_lost');
    case 'not-loaded':
      return t('ui_camera_not_loaded');
    case 'no-photo':
      return t('ui_camera_no_photo');
  }
}
