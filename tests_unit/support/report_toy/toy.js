"use strict";
// A tower as a list of its pegs.
Object.assign(PBB.domain, {
  won: "a tower that stands",
  draw: (scene, design) => ({
    element: PBB.h("p", { class: "tower" }, design ? design.pegs.join(" ") : "an empty board"),
    mark: () => {},
  }),
});
