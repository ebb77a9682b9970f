/** Pictures of the camera and of files. They stay in the memory of the page and are not stored. */
import type { Picture } from './pictures';

/** Why there is no picture of the camera. `lost`: it stopped while it was used. */
export type Obstacle = 'insecure' | 'refused' | 'none' | 'busy' | 'lost';

export class CameraError extends Error {
  constructor(readonly obstacle: Obstacle) {
    super(obstacle);
  }
}

/** Part of the video's shorter side that the square guide has. */
export const GUIDE = 0.9;
/** The longest side of a photo that is read: more pixels than that exceed the memory of some phones. */
const LONGEST = 4096;

/** Ask for the camera behind the device. Throws `CameraError`. */
export async function openCamera(): Promise<MediaStream> {
  if (!navigator.mediaDevices?.getUserMedia) throw new CameraError(isSecureContext ? 'none' : 'insecure');
  const video = { facingMode: 'environment', width: { ideal: 1920 }, height: { ideal: 1080 } };
  try {
    return await navigator.mediaDevices.getUserMedia({ video, audio: false });
  } catch (error) {
    throw new CameraError(obstacleOf((error as DOMException).name));
  }
}

function obstacleOf(name: string): Obstacle {
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'refused';
  return name === 'NotReadableError' || name === 'AbortError' ? 'busy' : 'none';
}

export function closeCamera(stream: MediaStream): void {
  stream.getTracks().forEach((track) => track.stop());
}

/** Return the part of a video inside the guide, drawn onto a canvas, which keeps it. */
export function drawGuide(video: HTMLVideoElement, canvas: HTMLCanvasElement): Picture {
  const { videoWidth, videoHeight } = video;
  const side = Math.round(GUIDE * Math.min(videoWidth, videoHeight));
  return drawn(canvas, side, side, (context) =>
    context.drawImage(video, (videoWidth - side) / 2, (videoHeight - side) / 2, side, side, 0, 0, side, side),
  );
}

/** Return a photo, drawn onto a canvas as large as it is. Throws where the browser cannot read the file. */
export async function drawPhoto(file: Blob, canvas: HTMLCanvasElement): Promise<Picture> {
  const photo = await createImageBitmap(file, { imageOrientation: 'from-image' });
  const scale = Math.min(1, LONGEST / Math.max(photo.width, photo.height));
  const [width, height] = [Math.round(photo.width * scale), Math.round(photo.height * scale)];
  const picture = drawn(canvas, width, height, (context) => context.drawImage(photo, 0, 0, width, height));
  photo.close();
  return picture;
}

function drawn(canvas: HTMLCanvasElement, width: number, height: number, draw: (context: CanvasRenderingContext2D) => void): Picture {
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d', { willReadFrequently: true })!;
  draw(context);
  return { width, height, data: context.getImageData(0, 0, width, height).data };
}
