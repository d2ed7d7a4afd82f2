/**
 * The camera: orbits a target, z (in the plane y) up, in perspective or orthographic.
 *
 * Azimuth 0 looks along +y from the front; elevation 90° looks straight down.
 */

import { OrthographicCamera, PerspectiveCamera, Vector3 } from "three";
import type { Vec3 } from "../types";

/** Half of the vertical field of view. */
const HALF_ANGLE = (17.5 * Math.PI) / 180;

/** As the pictures of `impinge run --pictures`: from the front, slightly from the left and above. */
export const DEFAULT_AZIMUTH = Math.atan2(0.25, 1);
export const DEFAULT_ELEVATION = Math.atan2(0.45, Math.hypot(1, 0.25));

/** Room around a box that is fitted. */
const MARGIN = 1.1;

const STEEPEST = Math.PI / 2;

export interface Pose {
  target: Vec3;
  distance: number;
  azimuth: number;
  elevation: number;
  orthographic: boolean;
}

export class OrbitCamera {
  readonly target = new Vector3();
  distance = 1;
  azimuth = DEFAULT_AZIMUTH;
  elevation = DEFAULT_ELEVATION;
  isOrthographic = false;
  private readonly perspective = new PerspectiveCamera((2 * HALF_ANGLE * 180) / Math.PI, 1, 0.1, 10);
  private readonly orthographic = new OrthographicCamera(-1, 1, 1, -1, 0.1, 10);

  /** The camera for the renderer. */
  get camera(): PerspectiveCamera | OrthographicCamera {
    return this.isOrthographic ? this.orthographic : this.perspective;
  }

  pose(): Pose {
    const { target, distance, azimuth, elevation, isOrthographic } = this;
    return { target: target.toArray() as Vec3, distance, azimuth, elevation, orthographic: isOrthographic };
  }

  take(pose: Pose): void {
    this.target.fromArray(pose.target);
    this.distance = pose.distance;
    this.azimuth = pose.azimuth;
    this.elevation = pose.elevation;
    this.isOrthographic = pose.orthographic;
  }

  /** Direction from the target to the eye. */
  back(): Vector3 {
    const { azimuth, elevation } = this;
    const flat = Math.cos(elevation);
    return new Vector3(-Math.sin(azimuth) * flat, -Math.cos(azimuth) * flat, Math.sin(elevation));
  }

  right(): Vector3 {
    return new Vector3(Math.cos(this.azimuth), -Math.sin(this.azimuth), 0);
  }

  up(): Vector3 {
    return this.back().cross(this.right());
  }

  /** Half of the height seen at the target. */
  get halfHeight(): number {
    return this.distance * Math.tan(HALF_ANGLE);
  }

  /** Moves back until a box fits the view. */
  fit(min: Vec3, max: Vec3, aspect: number): void {
    const [low, high] = [new Vector3(...min), new Vector3(...max)];
    this.target.addVectors(low, high).multiplyScalar(0.5);
    const half = high.sub(low).multiplyScalar(0.5);
    const [right, up, back] = [this.right(), this.up(), this.back()];
    const slope = Math.tan(HALF_ANGLE) / MARGIN;
    this.distance = 1e-9;

    // Each corner of the box must be within the view frustum.
    for (let corner = 0; corner < 8; corner++) {
      const at = half.clone().multiply(new Vector3(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1));
      const needed = Math.max(Math.abs(at.dot(up)), Math.abs(at.dot(right)) / aspect) / slope;
      this.distance = Math.max(this.distance, needed + (this.isOrthographic ? 0 : at.dot(back)));
    }
  }

  orbit(right: number, up: number): void {
    this.azimuth = wrapped(this.azimuth + right);
    this.elevation = Math.min(STEEPEST, Math.max(-STEEPEST, this.elevation + up));
  }

  /** Moves the target by fractions of the view's height. */
  pan(right: number, up: number): void {
    const height = 2 * this.halfHeight;
    this.target.addScaledVector(this.right(), right * height).addScaledVector(this.up(), up * height);
  }

  /** Zooms by a factor; what lies at a place of the view (−1 to 1) stays there. */
  zoom(factor: number, x = 0, y = 0, aspect = 1): void {
    const before = this.halfHeight;
    this.distance *= factor;
    const change = before - this.halfHeight;
    this.target.addScaledVector(this.right(), x * change * aspect).addScaledVector(this.up(), y * change);
  }

  /** Updates the matrices for a picture and a sphere that contains the scene. */
  update(aspect: number, centre: Vector3, radius: number): void {
    const { camera } = this;
    const back = this.back();
    camera.up.copy(this.up());
    camera.position.copy(this.target).addScaledVector(back, this.distance);
    camera.lookAt(this.target);

    const depth = camera.position.clone().sub(centre).dot(back);
    const far = depth + radius;
    if (camera instanceof PerspectiveCamera) {
      camera.aspect = aspect;
      camera.far = Math.max(far, this.distance) * 1.02;
      camera.near = Math.max((depth - radius) * 0.98, camera.far / 5000);
    } else {
      const height = this.halfHeight;
      camera.top = height;
      camera.bottom = -height;
      camera.right = height * aspect;
      camera.left = -camera.right;
      // Nothing is behind an orthographic camera.
      camera.near = Math.min(depth - radius, 0) - radius * 0.1;
      camera.far = Math.max(far, this.distance) * 1.02;
    }
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
  }
}

function wrapped(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}
