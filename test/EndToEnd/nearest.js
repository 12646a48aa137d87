'use strict';
// Vectors in one flat array, and the nearest of them by a comparison with all.

class Nearest {
  #dimensions;
  #numbers;
  #ids = [];
  #ranks = [];
  #places = new Map();

  constructor(count, dimensions) {
    this.#dimensions = dimensions;
    this.#numbers = new Float32Array(count * dimensions);
  }

  get count() {
    return this.#ids.length;
  }

  add(id, rank, vector) {
    const at = this.#ids.length * this.#dimensions;
    this.#places.set(id, this.#ids.length);
    this.#ids.push(id);
    this.#ranks.push(rank);
    this.#numbers.set(vector, at);
    const length = Math.hypot(...vector);
    for (let i = at; i < at + this.#dimensions; i++) this.#numbers[i] /= length;
  }

  /** The cosine with a vector of length 1; undefined if there is no such id. */
  cosine(id, query) {
    const place = this.#places.get(id);
    return place === undefined ? undefined : this.#cosineAt(place, query);
  }

  rank(id) {
    return this.#ranks[this.#places.get(id)];
  }

  /** The best cosines below a rank, best first, and how many ids have at least a minimum. */
  best(query, take, { rankBelow = Infinity, minimum = -2 } = {}) {
    const best = [];
    let total = 0;
    for (let place = 0; place < this.#ids.length; place++) {
      if (this.#ranks[place] >= rankBelow) continue;
      const cosine = this.#cosineAt(place, query);
      if (cosine < minimum) continue;
      total++;
      if (best.length === take && cosine <= best[take - 1]) continue;
      let at = best.length;
      while (at > 0 && best[at - 1] < cosine) at--;
      best.splice(at, 0, cosine);
      if (best.length > take) best.pop();
    }
    return { best, total };
  }

  #cosineAt(place, query) {
    const at = place * this.#dimensions;
    let product = 0;
    for (let i = 0; i < this.#dimensions; i++) product += this.#numbers[at + i] * query[i];
    return product;
  }
}

/** A vector of length 1 in the direction of another one. */
function unit(vector) {
  const length = Math.hypot(...vector);
  return Float32Array.from(vector, number => number / length);
}

module.exports = { Nearest, unit };
