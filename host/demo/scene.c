/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scene - renders the picture that the demo moves: spheres on a chessboard, as a PPM on stdout.
 *
 * Only + - * / and sqrt are used, which IEEE 754 rounds alike everywhere: the bytes are the same on
 * every machine.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "cli.h"

#define WIDTH   256
#define HEIGHT  192
#define SAMPLES 3 /* per pixel and direction */
#define BOUNCES 4
#define FAR     1e9
#define NEAR    1e-6

struct vec {
	double x, y, z;
};

struct sphere {
	struct vec centre, colour;
	double radius, mirror;
};

static const struct sphere spheres[] = {
	{ { 0.0, 1.0, 0.0 }, { 0.95, 0.95, 0.95 }, 1.0, 0.75 },
	{ { -2.0, 0.7, 0.6 }, { 0.85, 0.20, 0.15 }, 0.7, 0.20 },
	{ { 1.9, 0.6, 0.9 }, { 0.15, 0.35, 0.80 }, 0.6, 0.25 },
	{ { 0.7, 0.35, 1.9 }, { 0.95, 0.70, 0.10 }, 0.35, 0.15 },
	{ { -0.8, 0.3, 2.0 }, { 0.10, 0.60, 0.30 }, 0.3, 0.15 },
	{ { -3.6, 1.3, -2.4 }, { 0.55, 0.25, 0.65 }, 1.3, 0.30 },
	{ { 3.4, 1.1, -2.0 }, { 0.90, 0.45, 0.20 }, 1.1, 0.30 },
};

#define NUM_SPHERES (sizeof(spheres) / sizeof(spheres[0]))

static struct vec add(struct vec a, struct vec b)
{
	return (struct vec){ a.x + b.x, a.y + b.y, a.z + b.z };
}

static struct vec scale(struct vec a, double f)
{
	return (struct vec){ a.x * f, a.y * f, a.z * f };
}

static struct vec sub(struct vec a, struct vec b)
{
	return add(a, scale(b, -1));
}

static double dot(struct vec a, struct vec b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static struct vec unit(struct vec a)
{
	return scale(a, 1 / sqrt(dot(a, a)));
}

/* Where a ray meets something first: its distance, what it is and its normal. */
struct hit {
	double distance;
	const struct sphere *sphere; /* NULL: the floor */
	struct vec normal;
};

static bool hit_sphere(const struct sphere *s, struct vec from, struct vec dir, double *distance)
{
	struct vec oc = sub(from, s->centre);
	double b = dot(oc, dir), d = b * b - dot(oc, oc) + s->radius * s->radius;
	double t;

	if (d <= 0)
		return false;
	t = -b - sqrt(d);
	if (t < NEAR)
		t = -b + sqrt(d);
	*distance = t;
	return t > NEAR;
}

static bool trace(struct vec from, struct vec dir, struct hit *hit)
{
	double t;
	size_t i;

	hit->distance = FAR;
	for (i = 0; i < NUM_SPHERES; i++)
		if (hit_sphere(&spheres[i], from, dir, &t) && t < hit->distance) {
			hit->distance = t;
			hit->sphere = &spheres[i];
			hit->normal = unit(sub(add(from, scale(dir, t)), spheres[i].centre));
		}
	t = -from.y / (dir.y != 0 ? dir.y : NEAR);
	if (t > NEAR && t < hit->distance) {
		hit->distance = t;
		hit->sphere = NULL;
		hit->normal = (struct vec){ 0, 1, 0 };
	}
	return hit->distance < 60;
}

static struct vec sky(struct vec dir)
{
	double up = dir.y > 0 ? dir.y : 0;

	return (struct vec){ 0.90 - 0.60 * up, 0.92 - 0.45 * up, 0.95 - 0.15 * up };
}

static long whole(double x)
{
	long n = (long)x;

	return x < (double)n ? n - 1 : n;
}

static struct vec floor_colour(struct vec p)
{
	if ((whole(p.x) + whole(p.z)) % 2)
		return (struct vec){ 0.20, 0.22, 0.25 };
	return (struct vec){ 0.90, 0.88, 0.82 };
}

static struct vec shade(struct vec from, struct vec dir, int bounces)
{
	const struct vec sun = unit((struct vec){ -0.6, 1.2, 0.7 });
	struct vec point, colour, mirrored;
	struct hit hit, shadow;
	double light, mirror, fog;

	if (!trace(from, dir, &hit))
		return sky(dir);
	point = add(from, scale(dir, hit.distance));
	/* Off the surface, so that it does not shade itself. */
	point = add(point, scale(hit.normal, 1e-4));
	colour = hit.sphere ? hit.sphere->colour : floor_colour(point);
	mirror = hit.sphere ? hit.sphere->mirror : 0.08;

	light = dot(hit.normal, sun);
	if (light < 0 || trace(point, sun, &shadow))
		light = 0;
	colour = scale(colour, 0.30 + 0.70 * light);
	if (bounces) {
		mirrored = sub(dir, scale(hit.normal, 2 * dot(hit.normal, dir)));
		mirrored = shade(point, unit(mirrored), bounces - 1);
		colour = add(scale(colour, 1 - mirror), scale(mirrored, mirror));
	}
	fog = hit.distance / 60;
	return add(scale(colour, 1 - fog), scale(sky(dir), fog));
}

static int byte_of(double v)
{
	v = sqrt(v); /* nearly what screens expect */
	return v > 1 ? 255 : (int)(v * 255 + 0.5);
}

static void pixel(int x, int y)
{
	const struct vec eye = { 0.3, 1.7, 6.2 };
	struct vec sum = { 0, 0, 0 }, dir;
	int i;

	for (i = 0; i < SAMPLES * SAMPLES; i++) {
		double u = x + (i % SAMPLES + 0.5) / SAMPLES, v = y + (i / SAMPLES + 0.5) / SAMPLES;

		dir.x = (u - WIDTH / 2.0) / HEIGHT;
		dir.y = (HEIGHT * 0.42 - v) / HEIGHT;
		dir.z = -1.05;
		sum = add(sum, shade(eye, unit(dir), BOUNCES));
	}
	sum = scale(sum, 1.0 / (SAMPLES * SAMPLES));
	putchar(byte_of(sum.x));
	putchar(byte_of(sum.y));
	putchar(byte_of(sum.z));
}

int main(void)
{
	int x, y;

	printf("P6\n%d %d\n255\n", WIDTH, HEIGHT);
	for (y = 0; y < HEIGHT; y++)
		for (x = 0; x < WIDTH; x++)
			pixel(x, y);
	return cli_end("scene", 0);
}
