(() => {
  const box = document.getElementById("search");
  if (!box) return;
  box.closest("form").hidden = false;
  const told = document.getElementById("found");
  const entries = [...document.querySelectorAll("article.entry")];
  const texts = entries.map((one) => one.textContent.toLowerCase());
  const links = new Map([...document.querySelectorAll("nav a")].map((one) => [one.hash.slice(1), one]));
  const find = () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    entries.forEach((one, place) => {
      const there = words.every((word) => texts[place].includes(word));
      one.hidden = !there;
      count += there;
      const link = links.get(one.id);
      if (link) link.parentElement.hidden = !there;
      if (link && there && words.length) link.closest("details").open = true;
    });
    document.querySelectorAll("section.chapter").forEach((one) => {
      const inside = [...one.querySelectorAll("article.entry")];
      one.hidden = words.length > 0 && inside.every((entry) => entry.hidden);
      const link = links.get(one.id);
      if (link) link.closest("li").hidden = one.hidden;
    });
    told.textContent = words.length ? (count === 1 ? "1 entry" : `${count} entries`) : "";
  };
  box.addEventListener("input", find);
  box.closest("form").addEventListener("submit", (event) => {
    event.preventDefault();
    const first = entries.find((one) => !one.hidden);
    if (first) first.scrollIntoView();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !/^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) {
      event.preventDefault();
      box.focus();
    }
    if (event.key === "Escape" && document.activeElement === box) {
      box.value = "";
      find();
    }
  });
})();
